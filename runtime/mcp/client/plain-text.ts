/** Escape sequences of terminals (ECMA-48): CSI, OSC and the two-character forms. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters but tab and newline, and the marks that reorder text on a screen. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes text of a server harmless for a terminal; lines stay lines. */
export function toPlainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(TERMINAL_SEQUENCES, "").replace(UNPRINTABLE, "");
}

/** The same as one line of at most `limit` characters. */
export function toPlainLine(text: string, limit: number): string {
  const line = toPlainText(text.slice(0, limit * 4))
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
