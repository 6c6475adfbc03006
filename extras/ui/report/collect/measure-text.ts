import type { JsonValue } from "../../../../schemas/json/json.ts";
import type { ShownText, TextSize } from "../../../../schemas/run/run-report.ts";
import { cutToUtf8 } from "../../../../schemas/json/utf8.ts";
import { estimateTokens } from "../../../../schemas/text/estimate-tokens.ts";

/** The tokens of a longer text are those of its beginning, times as many: a call is not to wait for more. */
const SAMPLE = 64 * 1024;

/** The size of a text, or of undecoded UTF-8. */
export function measureText(text: string | Buffer): TextSize {
  const bytes = Buffer.byteLength(text);
  if (text.length <= SAMPLE) return { bytes, tokens: estimateTokens(String(text)) };
  const sample = estimateTokens(typeof text === "string" ? text.slice(0, SAMPLE) : text.toString("utf8", 0, SAMPLE));
  return { bytes, tokens: Math.round((sample * text.length) / SAMPLE) };
}

/** The beginning of a text, of so many bytes at most. */
export function cutText(text: string | Buffer, maxBytes: number): ShownText {
  const bytes = Buffer.byteLength(text);
  // Half a character at the end of the slice would take three bytes.
  const whole = typeof text === "string" ? text : text.toString("utf8", 0, maxBytes + 4);
  const shown = cutToUtf8(whole, maxBytes);
  return { text: shown, bytesLeftOut: bytes - Buffer.byteLength(shown) };
}

/** A value as JSON text; what is nested too deep to be printed counts as nothing. */
export function printJson(value: JsonValue | object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
