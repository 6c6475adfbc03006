/** The first of some names, and how many more there are. */
export function listSome(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most).join(", ");
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
