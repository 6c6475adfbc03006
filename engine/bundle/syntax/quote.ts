/** Names of the author as messages show them: on one line, escaped and of bounded length. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 119)}…` : name);
}
