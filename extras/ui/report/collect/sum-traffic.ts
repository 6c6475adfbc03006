import type { RunAnswer } from "../../../../schemas/run/answer.ts";
import {
  addSizes,
  NOTHING,
  type ReportedCall,
  type ReportedSource,
  type ShownText,
  type Traffic,
} from "../../../../schemas/run/run-report.ts";
import { cutText, measureText, printJson } from "./measure-text.ts";

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
export function showResult({ result }: RunAnswer, isWanted: boolean): { result?: ShownText } {
  return isWanted ? { result: cutText(JSON.stringify(result, null, 2), MAX_RESULT_BYTES) } : {};
}
