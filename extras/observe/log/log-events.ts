import { countOf } from "../../../schemas/text/count-of.ts";
import type { EventOf, HostEvent, RunEnd, RunFacts, ServerEvent } from "../../../schemas/run/events.ts";
import { bundleDigest } from "../digests.ts";
import type { Log, LogFields } from "../../../engine/log/log.ts";

/** What is wrong here, and not with the script. */
const OWN_FAULTS = new Set(["AUDIT_FAILED", "BUNDLE_FAILURE", "INTERNAL", "SANDBOX_FAILURE", "SANDBOX_START"]);

/** Logs a line for each run, for what happens to servers, and with `debug` for each call. No argument, result or output of a script is in any. */
export function logEvents(log: Log): (event: HostEvent) => void {
  const limits = new WeakMap<RunFacts, readonly string[]>();
  const isVerbose = log.isEnabled("debug");
  return (event) => {
    switch (event.type) {
      case "script-ended":
        if (event.limits.length > 0) limits.set(event.run, event.limits);
        return;
      case "run-ended":
        return logEnd(log, event, limits.get(event.run));
      case "access-refused": {
        const { place, token, from, count } = event;
        const fields = { place, token, from, count };
        return log.warn(`${countOf(count, "request")} to ${place} refused: the token is ${token}`, fields);
      }
      case "run-turned-away":
        return log.warn(`a run was refused: ${event.code}`, { client: event.client, code: event.code });
      case "server-changed":
        return logServerEvent(log, event);
      default:
        if (isVerbose) logStep(log, event);
    }
  };
}

function whoseOf({ runId, client, origin }: RunFacts): LogFields {
  return { runId, client, origin };
}

function logEnd(log: Log, { run, ...end }: EventOf<"run-ended">, limits: readonly string[] | undefined): void {
  const { subject } = run;
  const what =
    subject.kind === "script"
      ? { script: subject.name, savedAs: subject.savedAs }
      : { tool: `${subject.serverId}/${subject.toolName}` };
  const fields = { ...whoseOf(run), ...what, ...toFields(end), limits };
  const level = end.codes.some((code) => OWN_FAULTS.has(code)) ? "error" : "info";
  const message = `${subject.kind === "script" ? "run" : "call"} ended: ${howEnded(end)}`;
  // A line is written before the program goes on, which an answer that is ready does not wait for.
  setImmediate(() => log[level](message, fields));
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
function logStep(log: Log, event: HostEvent): void {
  switch (event.type) {
    case "question-ended": {
      const { run, serverId, mode, outcome } = event;
      return log.debug(`question of a server: ${outcome}`, { ...whoseOf(run), server: serverId, mode });
    }
    case "bundled": {
      const { run, bundle } = event;
      const fields = { bundle: bundleDigest(bundle), tools: bundle.manifest.tools.length };
      return log.debug("script bundled", { ...whoseOf(run), ...fields });
    }
    case "reviewed": {
      const { run, verdict, approvalBy, approvalName } = event;
      return log.debug(`script reviewed: ${verdict}`, { ...whoseOf(run), verdict, approvalBy, approvalName });
    }
    case "call-settled": {
      const { run, serverId, toolName, number, outcome, code, rpcCode, durationMs, inputBytes, resultBytes } = event;
      return log.debug(`tool called: ${outcome}`, {
        ...{ ...whoseOf(run), call: number, tool: `${serverId}/${toolName}`, outcome, code, rpcCode },
        ...{ durationMs: Math.round(durationMs), inputBytes: inputBytes(), resultBytes: resultBytes() },
      });
    }
  }
}

function logServerEvent(log: Log, { type: _, ...event }: { type: string } & ServerEvent): void {
  const { kind: _kind, serverId, ...details } = event;
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
