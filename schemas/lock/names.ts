import { claimServerId } from "./server-ids.ts";

/**
 * Names that no export may take: reserved in modules (ECMA-262, 13.1), forbidden there by strict mode, or `then`, with which `import(…)`
 * would take the module for a promise and call the tool.
 */
const RESERVED_WORDS = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if " +
    "import in instanceof new null return super switch this throw true try typeof var void while with yield let static await " +
    "implements interface package private protected public arguments eval undefined then"
  ).split(" "),
);

/**
 * Letters outside of the basic plane, and letters that Unicode added to it after version 15.1: engines and compilers do not
 * agree on whether they are letters, and a name must not depend on who reads it. Last, invisible letters and marks:
 * two names must not look the same.
 */
const DISPUTED_LETTERS = new RegExp(
  `[${[
    "\\u{10000}-\\u{10FFFF}",
    "\\u088F\\u0897\\u0C5C\\u0CDC\\u1ACF-\\u1AEB\\u1C89\\u1C8A",
    "\\uA7CB-\\uA7CF\\uA7D2\\uA7D4\\uA7DA-\\uA7DC\\uA7F1",
    "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164\\uFE00-\\uFE0F\\uFFA0",
  ].join("")}]`,
  "gu",
);

/** Exports that every server package has beside its tools. */
const TAKEN_EXPORTS = ["__meta__"];

/**
 * Maps names to export names in the order given (specification 6.1). `nameOf` gives what an identifier is made of.
 * @param former export names that names had: each stays with its name where it is free
 */
export function claimExportNames(
  names: readonly string[],
  nameOf: (name: string) => string,
  former: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const taken = new Set(TAKEN_EXPORTS);
  return new Map(
    names.map((name) => {
      const kept = former.get(name);
      if (kept === undefined || taken.has(kept)) return [name, claimServerId(toIdentifier(nameOf(name)), "__", taken)];
      taken.add(kept);
      return [name, kept];
    }),
  );
}

/** Whether an export name can be the one of this name: its identifier, or that with a number. It becomes code. */
export function isExportNameOf(exportName: string, name: string): boolean {
  const identifier = toIdentifier(name);
  if (exportName === identifier) return true;
  return (
    exportName.startsWith(`${identifier}__`) && /^(?:[2-9]|[1-9]\d{1,8})$/.test(exportName.slice(identifier.length + 2))
  );
}

/** The identifier of a tool name, before collisions are resolved. */
export function toIdentifier(name: string): string {
  const legal = name.replace(DISPUTED_LETTERS, "_").replace(/[^$_\p{ID_Continue}]/gu, "_");
  const started = /^[$_\p{ID_Start}]/u.test(legal) ? legal : `_${legal}`;
  return RESERVED_WORDS.has(started) ? `${started}_` : started;
}
