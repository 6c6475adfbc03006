/** One step of a JSON Pointer (RFC 6901), with the slash before it. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
