/**
 * A text without the byte order mark that it may begin with: editors on Windows write one, and parsers count positions without it. Every text from
 * outside passes here once, where it comes in.
 */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
