import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { toHostReply } from "../../../../runtime/host/call/to-reply.ts";
import type { CallEnd, CallOutcomeKind, EventOf, RunEvent } from "../../../../schemas/run/events.ts";
import { lockedServers } from "../../../../schemas/run/locked-servers.ts";
import { exitCodeOf, type RunAnswer } from "../../../../schemas/run/answer.ts";
import { lockfileIntegrity } from "../../../../schemas/run/pinned-bundle.ts";
import type { CallFate, ReportedCall, RunReport } from "../run-report.ts";
import { VERSION } from "../../../../schemas/version.ts";
import type { ScriptSource } from "../../../../engine/bundle/bundle-script.ts";
import {
  measureText,
  printJson,
  makePayloadTable,
  type PayloadTable,
  sourcesOf,
  resultPart,
  sumTraffic,
} from "./report-parts.ts";

/** Builds the report of one run from its events. */
export interface ReportCollector {
  /** To be handed to the host with the request. */
  onEvent: (event: RunEvent) => void;
  /** To be called when the answer is there. */
  finish(answer: RunAnswer, script: Pick<ScriptSource, "name" | "code">): RunReport;
}

type Bundled = Omit<EventOf<"bundled">, "run">;

/**
 * Makes a collector for one run, whose preparation begins now.
 * @param payloads whether inputs and outputs of calls and the result are to be seen, cut; otherwise only their sizes are
 */
export function makeReportCollector(payloads: boolean): ReportCollector {
  const askedAt = performance.now();
  const startedAt = Date.now();
  const payloadTable = makePayloadTable(payloads);
  const calls: ReportedCall[] = [];
  let bundled: Bundled | undefined;
  let scriptStart: number | undefined;
  let scriptEnd: number | undefined;
  /** Milliseconds since the start of the script, with a digit for what is fast. */
  const elapsed = (): number => round(performance.now() - (scriptStart ?? askedAt));

  /** What was sent with the calls that are not settled, and their places, by their numbers. */
  const open = new Map<number, { call: ReportedCall; index: number; inputText: string }>();

  const onEvent = (event: RunEvent): void => {
    switch (event.type) {
      case "bundled":
        bundled = event;
        return;
      case "script-started":
        scriptStart = performance.now();
        return;
      case "script-ended":
        scriptEnd = performance.now();
        return;
      case "call-checked": {
        const inputText = printJson(event.input());
        const call: ReportedCall = { ...startOf(event), startMs: elapsed(), input: measureText(inputText) };
        open.set(event.number, { call, index: calls.push(call) - 1, inputText });
        return;
      }
      case "call-settled": {
        const known = open.get(event.number);
        if (known === undefined) return;
        open.delete(event.number);
        const { call, index, inputText } = known;
        const time = event.outcome === "cancelled" ? {} : { endMs: elapsed() };
        calls[index] = { ...call, ...time, ...describeEnd(event, call, inputText, payloadTable) };
      }
    }
  };
  return {
    onEvent,
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
        ...resultPart(answer, payloads),
      };
    },
  };
}

type CallStart = Omit<ReportedCall, "startMs" | "input">;

function startOf({ number, serverId, toolName, verdict }: Omit<EventOf<"call-checked">, "run">): CallStart {
  return { number, serverId, toolName, outcome: "unfinished", ...withoutUndefined({ verdict }) };
}

const OUTCOMES: Readonly<Record<CallOutcomeKind, CallFate>> = {
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
    const reply = toHostReply(result, call);
    return printJson(reply.ok ? reply.value : reply.error);
  } catch {
    return "";
  }
}

const NO_BUNDLE = { servers: [], tools: [] };

function describeBundle({ bundle, lockfile }: Bundled): Pick<RunReport, "servers" | "tools" | "lockfileIntegrity"> {
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
