/** What the language makes of a value where a text is wanted; the `toString` of an object is the script's. */
export function toText(value: unknown): string {
  return String(value);
}
