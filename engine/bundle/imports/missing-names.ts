import { nearestName } from "@codemode/runtime/nearest-name";
import type { ImportUse } from "../syntax/find-imports.ts";
import { type ImportProblem, type PlacedProblem, quote } from "../modules/import-problem.ts";

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
  const entries = Array.from(text.matchAll(/\bexport\s*(?:type\s*)?\{([^{}]*)\}/g), ([, list = ""]) => list.split(","));
  const parsed = entries.flat().flatMap((entry) => {
    const [, type, local = "", renamed = local] = LISTED_EXPORT.exec(entry) ?? [];
    return local === "" ? [] : [{ name: renamed, isType: type !== undefined }];
  });
  return parsed.toSorted((left, right) => Number(left.isType) - Number(right.isType)).map(({ name }) => name);
}

const LISTED_EXPORT = /^\s*(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/;

/** True where a module may export the name, also as a type. */
export function isMentioned(name: string, text: string): boolean {
  if (name === "default") return /\bdefault\b|\bexport\s*=/.test(text);
  const words = name.replace(/[^\p{ID_Continue}]/gu, (other) => `\\u{${other.codePointAt(0)?.toString(16)}}`);
  return new RegExp(`(?<![\\p{ID_Continue}$])${words}(?![\\p{ID_Continue}$])`, "u").test(text) || text.includes("\\u");
}
