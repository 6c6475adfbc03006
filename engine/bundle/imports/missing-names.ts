import { nearestName } from "@codemode/runtime/nearest-name";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { toDiagnostic } from "../syntax/check-module.ts";
import { namesExportedBy, type ModuleExports } from "../syntax/exported-names.ts";
import type { ImportUse } from "../syntax/find-imports.ts";
import { type ImportProblem, type PlacedProblem, quote } from "../modules/import-problem.ts";
import { ownerOf } from "../modules/module-ids.ts";
import { formatPath, originalPositionAt, type ModuleMap } from "../syntax/source-position.ts";

/** Another one may be meant than the nearest: so many names stand beside it. */
const LISTED_BESIDE_A_GUESS = 12;

/** A name that a module does not export. `shown` is the module's name for the author. */
export function describeMissingName(shown: string, name: string, known: readonly string[]): ImportProblem {
  const nearest = nearestName(name, known);
  const listed = `It exports: ${known.slice(0, 20).join(", ") || "nothing"}.`;
  const isShort = known.length > 1 && known.length <= LISTED_BESIDE_A_GUESS;
  return {
    code: "IMPORT_FAILURE",
    message: `The module "${shown}" has no export ${quote(name)}.`,
    hint: nearest === undefined ? listed : `Did you mean \`${nearest}\`?${isShort ? ` ${listed}` : ""}`,
  };
}

/**
 * The names of an import that the text of a module, or of its declarations, does not mention: they are no types of it either. For imports
 * that nothing uses as a value, which TypeScript removes.
 */
export function findUnmentionedNames({ specifier, names }: ImportUse, text: string): PlacedProblem[] {
  if (/\bexport\s*\*\s*from\b/.test(text)) return [];
  const known = [...Array.from(text.matchAll(DECLARED_EXPORT), ([, name = ""]) => name), ...namesInLists(text)];
  return [...names].flatMap(([name, start]) =>
    isMentioned(name, text) ? [] : [{ ...describeMissingName(specifier, name, known), start }],
  );
}

const DECLARED_EXPORT =
  /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum|namespace)\s+([\w$]+)/g;

/** The names in `export { a, b as c, type D }`, values first. */
function namesInLists(text: string): string[] {
  const entries = Array.from(text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}/g), ([, list = ""]) => list.split(","));
  const parsed = entries.flat().flatMap((entry) => {
    const [, type, local = "", renamed = local] = LISTED_EXPORT.exec(entry) ?? [];
    return local === "" ? [] : [{ name: renamed, isType: type !== undefined }];
  });
  return parsed.toSorted((left, right) => Number(left.isType) - Number(right.isType)).map(({ name }) => name);
}

const LISTED_EXPORT = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/;

/** True where a module may export the name, also as a type. */
function isMentioned(name: string, text: string): boolean {
  if (name === "default") return /\bdefault\b|\bexport\s*=/.test(text);
  const words = name.replace(/[^\p{ID_Continue}]/gu, (other) => `\\u{${other.codePointAt(0)?.toString(16)}}`);
  return new RegExp(`(?<![\\p{ID_Continue}$])${words}(?![\\p{ID_Continue}$])`, "u").test(text) || text.includes("\\u");
}

/** A module of the author's, and what it imports by name. */
export interface ImportingAuthor {
  name: string;
  code: string;
  map: ModuleMap | undefined;
  uses: readonly ImportUse[];
  /** The modules that its specifiers mean. */
  imports: ReadonlyMap<string, string>;
}

/** What the modules of a build export. */
export interface ExportKnowledge {
  exports: ModuleExports;
  showModule(id: string): string;
  /** The text of a module that may declare types, undefined for others. */
  typedText(id: string): string | undefined;
}

/**
 * Finds names that a module imports or passes on from another of the author's, or from the runtime, and that are not there: Rollup
 * complains only of those that are used. Names of servers and packages have been looked at before.
 */
export async function findMissingExports(
  modules: Iterable<ImportingAuthor>,
  { exports, showModule, typedText }: ExportKnowledge,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { name: importer, code, map, uses, imports } of modules) {
    for (const { specifier, names } of uses) {
      const id = imports.get(specifier) ?? "";
      if (!["author", "runtime"].includes(ownerOf(id))) continue;
      const known = namesExportedBy(id, exports);
      const typed = map === undefined ? undefined : typedText(id);
      for (const [name, start] of names) {
        if (known.includes(name) || name === "*") continue;
        // What TypeScript passes on without a word may be a type.
        if (typed !== undefined && isMentioned(name, typed)) continue;
        const path = formatPath(importer, await originalPositionAt(code, start, map));
        diagnostics.push(toDiagnostic(describeMissingName(showModule(id), name, known), path));
      }
    }
  }
  return diagnostics;
}
