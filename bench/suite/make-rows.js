/** Records whose JSON has about so many bytes. */
export function makeRows(bytes) {
  const row = (id) => ({ id, name: `The record with the number ${id}`, tags: ["first", "second", "third"] });
  const rowBytes = JSON.stringify(row(10_000)).length + 1;
  return Array.from({ length: Math.max(Math.floor(bytes / rowBytes), 1) }, (_, id) => row(id));
}
