import { posix } from "node:path";
import { findInside, type FoundFile } from "../modules/source-files.ts";
import { importFailure, type ImportProblem, quote } from "../modules/import-problem.ts";

/** Endings of modules that a script may import. */
const MODULE_ENDINGS = [".ts", ".js", ".mts", ".mjs", ".json"];

/** The TypeScript source that an import of its compiled name means. */
const COMPILED_ENDINGS: [compiled: string, source: string][] = [
  [".js", ".ts"],
  [".mjs", ".mts"],
];

export type ScriptModuleOutcome =
  | { ok: true; file: string; relativePath: string }
  | { ok: false; problem: ImportProblem };

/**
 * Finds what a relative specifier means to a module of the script.
 * `importer` is the path of that module below `folder`; nothing outside of the folder is ever found.
 */
export function findScriptModule(folder: string | undefined, importer: string, specifier: string): ScriptModuleOutcome {
  const shown = quote(specifier);
  if (folder === undefined) {
    return importFailure(
      `The module ${shown} does not exist: a script that is sent as text has no files beside it.`,
      "Put the code of that module into the script itself.",
    );
  }
  const wanted = posix.join(posix.dirname(importer), specifier);
  if (isOfPackage(wanted)) return importFailure(`The module ${shown} is one of a package.`, BY_NAME);
  let outside = false;
  for (const candidate of toCandidates(wanted)) {
    const found: FoundFile = findInside(folder, candidate);
    if (found.ok && isOfPackage(found.relativePath))
      return importFailure(`The module ${shown} is one of a package.`, BY_NAME);
    if (found.ok && hasModuleEnding(found.relativePath)) return found;
    outside ||= !found.ok && found.reason === "outside";
    if (!found.ok && found.reason === "unreadable")
      return importFailure(
        `The module ${shown} cannot be read: ${found.problem}.`,
        "Check the file and its permissions.",
      );
  }
  if (outside) {
    return importFailure(
      `The module ${shown} is outside of the script's folder.`,
      "Move the module into the folder of the script, or into a folder below it.",
    );
  }
  return importFailure(
    `The module ${shown} was not found beside the script.`,
    `Check the path, and that the file ends in ${MODULE_ENDINGS.join(", ")}.`,
  );
}

/** What packages may be imported is the configuration's to say, whichever way leads there. */
function isOfPackage(path: string): boolean {
  return path.split("/").includes("node_modules");
}

const BY_NAME =
  'Import the package by its name; the configuration says in "bundle": { "allow": […] } which ones may be.';

function toCandidates(wanted: string): string[] {
  const sources = COMPILED_ENDINGS.filter(([compiled]) => wanted.endsWith(compiled)).map(
    ([compiled, source]) => wanted.slice(0, -compiled.length) + source,
  );
  return [wanted, ...sources, ...MODULE_ENDINGS.map((ending) => wanted + ending)];
}

function hasModuleEnding(path: string): boolean {
  return MODULE_ENDINGS.includes(posix.extname(path));
}
