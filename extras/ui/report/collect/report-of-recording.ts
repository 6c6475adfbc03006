import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { isHostSubject } from "../../../../runtime/sandbox/pool/host-subjects.ts";
import { exitCodeOf } from "../../../../schemas/run/answer.ts";
import type { RecordedCall, Recording } from "../../../../schemas/run/recording.ts";
import type { ReportedCall, RunReport } from "../../../../schemas/run/run-report.ts";
import type { ReportOptions } from "./collect-report.ts";
import { measureText, printJson } from "./measure-text.ts";
import { makePayloadShelf, type PayloadShelf } from "./payload-shelf.ts";
import { sourcesOf } from "./script-sources.ts";
import { showResult, sumTraffic } from "./sum-traffic.ts";

/** The report of a recorded run, with the times of its script's clock. What is redacted in the recording is so here. */
export function reportOfRecording(recording: Recording, { payloads }: ReportOptions): RunReport {
  const { answer, bundle, script, start, madeBy, events } = recording;
  const shelf = makePayloadShelf(payloads);
  const calls = recording.calls
    .filter(({ serverId }) => !isHostSubject(serverId))
    .map((call, index) => toReportedCall(call, index + 1, shelf));
  const sources = sourcesOf(bundle.map, script);
  return {
    ...{ kind: "recording", madeBy, script, sources, calls, logs: answer.logs },
    startedAt: start.timeMs,
    // Nothing is recorded of the end itself; so the last thing that the script heard or said is it.
    durationMs: Math.max(0, ...[events, answer.logs].map((moments) => moments.at(-1)?.timeMs ?? 0)),
    isOk: exitCodeOf(answer) === 0,
    servers: Object.entries(recording.servers).map(([id, integrity]) => ({ id, integrity })),
    tools: bundle.manifest.tools,
    diagnostics: answer.diagnostics,
    traffic: sumTraffic(calls, answer, sources),
    ...showResult(answer, payloads),
  };
}

function toReportedCall(call: RecordedCall, number: number, shelf: PayloadShelf): ReportedCall {
  const { serverId, toolName, input, startMs, endMs, reply } = call;
  const inputText = printJson(input);
  const outputText = reply === undefined ? undefined : printJson(reply.ok ? reply.value : reply.error);
  const isOk = reply?.ok === true;
  return {
    ...{ number, serverId, toolName, startMs, input: measureText(inputText) },
    ...withoutUndefined({ endMs }),
    outcome: reply === undefined ? "unfinished" : isOk ? "ok" : "failed",
    ...withoutUndefined({
      error: reply === undefined || reply.ok ? undefined : reply.error.errorClass,
      output: outputText === undefined ? undefined : measureText(outputText),
    }),
    ...shelf.keep(inputText, outputText),
  };
}
