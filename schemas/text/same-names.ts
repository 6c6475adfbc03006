/** How a name is compared: by what it means to its reader. */
type Compare = (name: string) => string;

/** Names of HTTP headers have no case. */
export const asHeader: Compare = (name) => name.trim().toLowerCase();

/** A letter of one and of two characters looks the same. */
export const asWord: Compare = (name) => name.normalize();

/** The first two of these names that are one; undefined where all differ. */
export function findSameNames(names: Iterable<string>, compare: Compare): [first: string, second: string] | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const first = seen.get(compare(name));
    if (first !== undefined) return [first, name];
    seen.set(compare(name), name);
  }
  return undefined;
}
