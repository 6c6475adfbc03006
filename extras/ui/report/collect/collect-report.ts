import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { toReply } from "../../../../runtime/host/to-reply.ts";
import type {
  BundleFacts,
  CallEnd,
  CallFacts,
  CallOutcomeKind,
  RunObservation,
} from "../../../../schemas/run/observer.ts";
import { lockedServers } from "../../../../schemas/run/locked-servers.ts";
import { exitCodeOf, type RunAnswer } from "../../../../schemas/run/answer.ts";
import { lockfileIntegrity } from "../../../../schemas/run/pinned-bundle.ts";
import type { CallOutcome, ReportedCall, RunReport } from "../run-report.ts";
import { VERSION } from "../../../../schemas/version.ts";
import type { ScriptSource } from "../../../../engine/bundle/bundle-script.ts";
import {
  measureText,
  printJson,
  makePayloadTable,
  type PayloadTable,
  sourcesOf,
  showResult,
  sumTraffic,
} from "./report-parts.ts";

/** Observes one run and builds its report. */
export interface ReportCollector {
  /** To be handed to the host with the request. */
  observation: RunObservation;
  /** To be called when the answer is there. */
  finish(answer: RunAnswer, script: Pick<ScriptSource, "name" | "code">): RunReport;
}

export interface ReportOptions {
  /** Whether inputs and outputs of calls and the result are to be seen, cut; otherwise only their sizes are. */
  payloads: boolean;
}

/** Makes a collector for one run, whose preparation begins now. */
export function makeReportCollector({ payloads }: ReportOptions): ReportCollector {
  const askedAt = performance.now();
  const startedAt = Date.now();
  const payloadTable = makePayloadTable(payloads);
  const calls: ReportedCall[] = [];
  let bundled: BundleFacts | undefined;
  let scriptStart: number | undefined;
  let scriptEnd: number | undefined;
  /** Milliseconds since the start of the script, with a digit for what is fast. */
  const elapsed = (): number => round(performance.now() - (scriptStart ?? askedAt));

  const observation: RunObservation = {
    bundled: (facts) => void (bundled = facts),
    scriptStarted: () => void (scriptStart = performance.now()),
    scriptEnded: () => void (scriptEnd = performance.now()),
    callStarted(facts) {
      const inputText = printJson(facts.input());
      const call: ReportedCall = { ...startOf(facts), startMs: elapsed(), input: measureText(inputText) };
      const index = calls.push(call) - 1;
      return {
        ended(end) {
          const time = end.outcome === "cancelled" ? {} : { endMs: elapsed() };
          calls[index] = { ...call, ...time, ...describeEnd(end, call, inputText, payloadTable) };
        },
      };
    },
  };
  return {
    observation,
    finish(answer, script) {
      const name = script.name;
      const code = script.code === "" ? [] : [{ name, text: script.code }];
      const sources = bundled === undefined ? code : sourcesOf(bundled.bundle.map, name);
      const start = scriptStart ?? performance.now();
      return {
        // Calls that end after the run are reported too.
        ...{ kind: "run", script: name, startedAt, sources, calls: [...calls], logs: answer.logs },
        madeBy: { codemode: VERSION, node: process.version },
        durationMs: round((scriptEnd ?? start) - start),
        preparationMs: round(start - askedAt),
        isOk: exitCodeOf(answer) === 0,
        ...(bundled === undefined ? NO_BUNDLE : describeBundle(bundled)),
        diagnostics: answer.diagnostics,
        traffic: sumTraffic(calls, answer, sources),
        ...showResult(answer, payloads),
      };
    },
  };
}

function startOf({ number, serverId, toolName, verdict }: CallFacts): Omit<ReportedCall, "startMs" | "input"> {
  return { number, serverId, toolName, outcome: "unfinished", ...withoutUndefined({ verdict }) };
}

const OUTCOMES: Readonly<Record<CallOutcomeKind, CallOutcome>> = {
  ok: "ok",
  tool_error: "failed",
  failed: "failed",
  refused: "refused",
  skipped: "skipped",
  cancelled: "unfinished",
};

function describeEnd(
  end: CallEnd,
  call: ReportedCall,
  inputText: string,
  payloadTable: PayloadTable,
): Pick<ReportedCall, "outcome" | "error" | "output" | "payloads"> {
  const outputText = end.outcome === "skipped" ? undefined : printOutput(end, call);
  const error = end.outcome === "tool_error" ? "ToolCallError" : end.code;
  return {
    outcome: OUTCOMES[end.outcome],
    ...withoutUndefined({ error, output: outputText === undefined ? undefined : measureText(outputText) }),
    ...payloadTable.keep(inputText, outputText),
  };
}

/** What the script got, as JSON: the unwrapped result, or the error where the tool had one. */
function printOutput(end: CallEnd, call: ReportedCall): string | Buffer | undefined {
  const result = end.result();
  if (result === undefined) return undefined;
  try {
    const printed = printedContent(result);
    if (printed !== undefined) return printed;
    const reply = toReply(result, call);
    return printJson(reply.ok ? reply.value : reply.error);
  } catch {
    return "";
  }
}

const NO_BUNDLE = { servers: [], tools: [] };

function describeBundle({ bundle, lockfile }: BundleFacts): Pick<RunReport, "servers" | "tools" | "lockfileIntegrity"> {
  const servers = Object.entries(lockedServers(bundle.manifest, lockfile));
  return {
    servers: servers.map(([id, integrity]) => ({ id, integrity })),
    tools: bundle.manifest.tools,
    lockfileIntegrity: lockfileIntegrity(lockfile),
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
