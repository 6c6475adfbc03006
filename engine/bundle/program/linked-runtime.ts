import { readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleOwner, toOwnedPath, runtimeFolder } from "../modules/module-ids.ts";
import { printRuntimeLine, RUNTIME } from "../../../schemas/run/bundle.ts";
import { type SourceFile, toSourceFile } from "../modules/source-files.ts";

/** What `scripts/build-linked-runtime.js` makes of the modules of the runtime that scripts use. */
interface LinkedRuntime {
  /** An expression whose value has a namespace for each module. */
  code: string;
  /** What each module exports. */
  exports: Readonly<Record<string, readonly string[]>>;
  source: SourceFile;
}

/** The function of the linked runtime that freezes a value with all that is in it. */
export const FREEZE = `${RUNTIME}.freeze`;

let loaded: LinkedRuntime | undefined;

/** The same for every script, so it is read once. */
function loadLinkedRuntime(): LinkedRuntime {
  if (loaded === undefined) {
    const file = join(runtimeFolder(), "linked.json");
    const text = readFileSync(file, "utf8");
    loaded = { ...(JSON.parse(text) as LinkedRuntime), source: toSourceFile(file, text) };
  }
  return loaded;
}

/** The file that the linked runtime is in. */
export function linkedRuntimeFile(): SourceFile {
  return loadLinkedRuntime().source;
}

/** Prints a module of the runtime as what is taken from the linked one; undefined for modules that are not in there. */
export function printRuntimeModule(id: string): string | undefined {
  const module = linkedNames(id);
  if (module === undefined) return undefined;
  return printTaken(module.names, `${RUNTIME}.${module.name}`);
}

/**
 * Prints a module that exports members of a linked namespace. Names of tools are anything, `JSON` and `Object` among them: its variables
 * have others, which hide no global and take no name from a class or function of the script.
 */
export function printTaken(names: readonly string[], namespace: string): string {
  const lines = names.map(
    (name) => `const linked$${name} = ${namespace}.${name};\nexport { linked$${name} as ${name} };\n`,
  );
  return lines.join("");
}

/** Prints the linked runtime, to stand outside of the modules that take something from it. */
export function printLinkedRuntime(): string {
  return printRuntimeLine(loadLinkedRuntime().code);
}

/** The name and the exports of a module of the linked runtime; undefined for modules that are not in there. */
export function linkedNames(id: string): { name: string; names: readonly string[] } | undefined {
  if (moduleOwner(id) !== "runtime") return undefined;
  const name = toOwnedPath(id).replace(/\.js$/, "");
  const { exports } = loadLinkedRuntime();
  const names = Object.hasOwn(exports, name) ? exports[name] : undefined;
  return names === undefined ? undefined : { name, names };
}
