/** Results of earlier runs that a script may import, by the last part of their module's name. All of them belong to its client. */
export interface EarlierResults {
  /** The value as JSON text in UTF-8. */
  read(id: string): Buffer | undefined;
  /** The type of the value, in TypeScript. */
  typeOf(id: string): string | undefined;
}

/** Those of them that a script names, with their types. */
export function findNamedResults(code: string, results: EarlierResults | undefined): ReadonlyMap<string, string> {
  const ids = results === undefined ? [] : [...code.matchAll(/@codemode\/results\/([\w-]+)/g)].map(([, id = ""]) => id);
  return new Map(ids.flatMap((id) => (results?.typeOf(id) === undefined ? [] : [[id, results.typeOf(id) ?? "any"]])));
}
