import { countOf } from "../../../schemas/text/count-of.ts";
import type { Observer, RunEnd, RunFacts, RunObservation } from "../../../schemas/run/observer.ts";
import type { ServerEvent } from "../../../schemas/run/tool-call-event.ts";
import { bundleDigest } from "../digests.ts";
import type { Log, LogFields } from "../../../engine/log/log.ts";

/** What is wrong here, and not with the script. */
const OWN_FAULTS = new Set(["AUDIT_FAILED", "BUNDLE_FAILURE", "INTERNAL", "SANDBOX_FAILURE", "SANDBOX_START"]);

/** Logs a line for each run, for what happens to servers, and with `debug` for each call. No argument, result or output of a script is in any. */
export function makeLogObserver(log: Log): Observer {
  return {
    runStarted: (facts) => observeRun(log, facts),
    accessRefused: ({ place, token, from, count }) =>
      log.warn(`${countOf(count, "request")} to ${place} refused: the token is ${token}`, {
        place,
        token,
        from,
        count,
      }),
    runTurnedAway: ({ client, code }) => log.warn(`a run was refused: ${code}`, { client, code }),
    serverEvent: (event) => logServerEvent(log, event),
  };
}

function observeRun(log: Log, facts: RunFacts): RunObservation {
  const { runId, client, origin, subject } = facts;
  const whose = { runId, client, origin };
  const what =
    subject.kind === "script"
      ? { script: subject.name, savedAs: subject.savedAs }
      : { tool: `${subject.serverId}/${subject.toolName}` };
  const limits: string[] = [];
  return {
    ...(log.isEnabled("debug") ? observeSteps(log, whose) : {}),
    limitHit: (limit) => void limits.push(limit),
    ended(end) {
      const fields = { ...whose, ...what, ...toFields(end), limits: limits.length === 0 ? undefined : limits };
      const level = end.codes.some((code) => OWN_FAULTS.has(code)) ? "error" : "info";
      const message = `${subject.kind === "script" ? "run" : "call"} ended: ${howEnded(end)}`;
      // A line is written before the program goes on, which an answer that is ready does not wait for.
      setImmediate(() => log[level](message, fields));
    },
  };
}

/** What waits for a person has not failed. */
function howEnded({ ok, codes }: RunEnd): string {
  if (ok) return "ok";
  return codes.every((code) => code === "APPROVAL_REQUIRED") ? "not begun, it needs an approval" : "failed";
}

function toFields({ ok, codes, durationMs, calls }: RunEnd): LogFields {
  return { ok, codes: codes.length === 0 ? undefined : codes, durationMs: Math.round(durationMs), calls };
}

/** What happens within a run. */
function observeSteps(
  log: Log,
  whose: LogFields,
): Pick<RunObservation, "bundled" | "reviewed" | "callStarted" | "asked"> {
  return {
    asked: ({ serverId, mode, outcome }) =>
      log.debug(`question of a server: ${outcome}`, { ...whose, server: serverId, mode }),
    bundled: ({ bundle }) =>
      log.debug("script bundled", { ...whose, bundle: bundleDigest(bundle), tools: bundle.manifest.tools.length }),
    reviewed: ({ verdict, approvalBy, approvalName }) =>
      log.debug(`script reviewed: ${verdict}`, { ...whose, verdict, approvalBy, approvalName }),
    callStarted({ serverId, toolName, number, inputBytes }) {
      const call = { ...whose, call: number, tool: `${serverId}/${toolName}` };
      return {
        ended: ({ outcome, code, rpcCode, durationMs, resultBytes }) =>
          log.debug(`tool called: ${outcome}`, {
            ...call,
            outcome,
            code,
            rpcCode,
            durationMs: Math.round(durationMs),
            inputBytes: inputBytes(),
            resultBytes: resultBytes(),
          }),
      };
    },
  };
}

function logServerEvent(log: Log, event: ServerEvent): void {
  const { kind: _, serverId, ...details } = event;
  switch (event.kind) {
    case "connected": {
      const fields = { server: serverId, transport: event.transport, durationMs: Math.round(event.durationMs) };
      if (event.restarts > 0) log.info("server connected again", { ...fields, restarts: event.restarts });
      else log.info("server connected", fields);
      return;
    }
    case "logged":
      return log.debug("server logged", { server: serverId, level: event.level, text: event.text });
    case "unreachable":
      return log.warn("server cannot be reached", { server: serverId, code: event.code, reason: event.reason });
    case "disconnected":
      return log.warn("server has ended", { server: serverId, code: event.code, afterMs: Math.round(event.afterMs) });
    case "drifted":
      return log[event.handling === "accepted" ? "info" : "warn"]("server differs from the lockfile", {
        server: serverId,
        ...details,
      });
  }
}
