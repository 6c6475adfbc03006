/** Content blocks by the structured content that they came with, which a binding returns without them. */
const contents = new WeakMap<object, unknown[]>();

export function noteContent(value: unknown, content: unknown[]): void {
  if (typeof value === "object" && value !== null) contents.set(value, content);
}

export function findContent(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? (contents.get(value) ?? []) : [];
}
