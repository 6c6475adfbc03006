import type { JsonValue } from "../../../../schemas/json/json.ts";
import {
  type ShownText,
  type TextSize,
  type ReportedCall,
  type ReportedSource,
  addSizes,
  NOTHING,
  type Traffic,
} from "../run-report.ts";
import { cutToUtf8 } from "../../../../schemas/json/utf8.ts";
import { estimateTokens } from "../../../../schemas/text/estimate-tokens.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { SourceMap } from "../../../../schemas/run/bundle.ts";
import type { RunAnswer } from "../../../../schemas/run/answer.ts";

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
function cutText(text: string | Buffer, maxBytes: number): ShownText {
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

/** Of each input and output, and of all together. */
const MAX_BYTES = 4 * 1024;
const MAX_BYTES_IN_ALL = 2 * 1024 * 1024;

/** Keeps the beginnings of what calls carried, as long as there is room. Without `isWanted` nothing is kept. */
export function makePayloadTable(isWanted: boolean) {
  let room = MAX_BYTES_IN_ALL;
  const cut = (text: string | Buffer): ShownText => {
    const shown = cutText(text, Math.min(MAX_BYTES, room));
    room -= Buffer.byteLength(shown.text);
    return shown;
  };
  return {
    keep(input: string | Buffer, output: string | Buffer | undefined): Pick<ReportedCall, "payloads"> {
      if (!isWanted) return {};
      return {
        payloads: {
          input: cut(input),
          ...withoutUndefined({ output: output === undefined ? undefined : cut(output) }),
        },
      };
    },
  };
}

export type PayloadTable = ReturnType<typeof makePayloadTable>;

/** The texts of the script and of its own modules, the script first. Bindings and packages have names only in a source map. */
export function sourcesOf({ sources, sourcesContent = [] }: SourceMap, script: string): ReportedSource[] {
  const found = sources.flatMap((name, index) => {
    const text = sourcesContent[index];
    return typeof text === "string" && !name.startsWith("\0") ? [{ name, text }] : [];
  });
  const isMain = ({ name }: ReportedSource): boolean => name === script;
  return [...found.filter(isMain), ...found.filter((source) => !isMain(source))];
}

/** What all calls together carried, against the answer and the script. */
export function sumTraffic(
  calls: readonly ReportedCall[],
  answer: RunAnswer,
  sources: readonly ReportedSource[],
): Traffic {
  return {
    inputs: calls.map(({ input }) => input).reduce(addSizes, NOTHING),
    outputs: calls.map(({ output = NOTHING }) => output).reduce(addSizes, NOTHING),
    answer: measureText(printJson(answer)),
    script: sources.map(({ text }) => measureText(text)).reduce(addSizes, NOTHING),
  };
}

const MAX_RESULT_BYTES = 64 * 1024;

/** The result for the page, where payloads are wanted. */
export function resultPart({ result }: RunAnswer, isWanted: boolean): { result?: ShownText } {
  return isWanted ? { result: cutText(JSON.stringify(result, null, 2), MAX_RESULT_BYTES) } : {};
}
