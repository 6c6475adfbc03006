const { deleteProperty, ownKeys } = Reflect;

/** Names that the language itself pins. */
const PINNED = new Set(["globalThis", "undefined", "NaN", "Infinity"]);

/** Takes away every global of the main realm: `process`, `fetch`, `Buffer` and the rest. */
export function scrubGlobals(): void {
  for (const key of ownKeys(globalThis)) {
    if (typeof key === "string" && PINNED.has(key)) continue;
    deleteProperty(globalThis, key);
  }
}
