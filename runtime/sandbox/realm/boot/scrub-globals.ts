const { deleteProperty, ownKeys } = Reflect;

/** Takes away every global of the main realm: `process`, `fetch`, `Buffer` and the rest. Only `undefined`, `NaN` and `Infinity` cannot go. */
export function scrubGlobals(): void {
  const main = globalThis;
  for (const key of ownKeys(main)) deleteProperty(main, key);
}
