import { userInfo } from "node:os";
import type {
  BundleFacts,
  CallEnd,
  CallFacts,
  Observer,
  RunFacts,
  RunObservation,
} from "../../../schemas/run/observer.ts";
import type { AuditedStart } from "./audit-line.ts";
import { bundleDigest, lockfileDigest } from "../digests.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Payloads } from "./payloads.ts";

/** Writes down who ran what, what was decided about it, and which tools it called. */
export function makeAuditObserver(log: AuditLog, payloads: () => Payloads): Observer {
  return {
    runStarted(facts) {
      log.write(toStart(facts));
      return observeRun(facts.runId, log, payloads());
    },
    runTurnedAway: (facts) => void log.write({ event: "run.turned-away", ...facts }),
    serverEvent(event) {
      if (event.kind !== "drifted") return;
      const { kind: _, ...drift } = event;
      log.write({ event: "server.drifted", ...drift });
    },
  };
}

function toStart({ runId, origin, client, subject, trace, key }: RunFacts): AuditedStart {
  const traceId = trace?.traceparent.split("-")[1];
  return {
    event: "run.started",
    runId,
    origin,
    ...(client === undefined ? { user: userName() } : { client }),
    ...(subject.kind === "script" ? { kind: "script", script: subject.name, savedAs: subject.savedAs } : subject),
    traceId,
    key,
  };
}

/** A container may have a user id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

function observeRun(runId: string, log: AuditLog, payloads: Payloads): RunObservation {
  const limits: string[] = [];
  let bundled: BundleFacts | undefined;
  const digest = () => (bundled === undefined ? {} : { bundle: bundleDigest(bundled.bundle) });
  return {
    bundled: (facts) => void (bundled = facts),
    reviewed: ({ verdict, consentBy, tools }) =>
      void log.write({
        event: "run.reviewed",
        runId,
        ...digest(),
        lockfile: bundled === undefined ? undefined : lockfileDigest(bundled.accepted),
        verdict,
        consentBy,
        tools: tools(),
      }),
    callStarted: (facts) => observeCall(runId, facts, log, payloads),
    callReviewed: ({ number, input, ...facts }) =>
      void log.write({
        ...{ event: "call.reviewed", runId, call: number, ...facts },
        ...(input === undefined ? {} : payloads.ofInput(input)),
      }),
    asked: (facts) => void log.write({ event: "question.ended", runId, ...facts }),
    limitHit: (limit) => void limits.push(limit),
    ended: ({ ok, codes, durationMs, calls }) =>
      void log.write({
        event: "run.ended",
        runId,
        ok,
        codes,
        ...digest(),
        durationMs: Math.round(durationMs),
        calls,
        limits,
      }),
  };
}

function observeCall(runId: string, facts: CallFacts, log: AuditLog, payloads: Payloads) {
  const { serverId, toolName, number, tool, verdict } = facts;
  log.write({
    event: "call.started",
    runId,
    call: number,
    serverId,
    toolName,
    integrity: tool?.integrity,
    verdict,
    inputBytes: facts.inputBytes(),
    ...payloads.ofInput(facts.input),
  });
  return {
    ended: ({ outcome, code, rpcCode, durationMs, result, resultBytes }: CallEnd) =>
      void log.write({
        event: "call.ended",
        runId,
        call: number,
        outcome,
        code,
        rpcCode,
        durationMs: Math.round(durationMs),
        resultBytes: resultBytes(),
        ...payloads.ofResult(result),
      }),
  };
}
