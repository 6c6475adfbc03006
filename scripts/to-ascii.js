/** A program in ASCII alone: what lies beyond is an escape, in names and texts alike. */
export function toAscii(program) {
  return program.replace(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
