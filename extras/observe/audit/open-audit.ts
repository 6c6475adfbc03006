import { resolve } from "node:path";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { maskTexts } from "../../../schemas/secrets/mask-json.ts";
import { makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import { assertSettingTrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { auditUnwritable } from "../../../schemas/config/serve-errors.ts";
import type { FilledAudit } from "../../../schemas/config/config-file.ts";
import type { ConfiguredObservers } from "../../../engine/observers.ts";
import { findSecrets } from "../../../engine/log/find-secrets.ts";
import { makeAuditLog, type AuditLog } from "./audit-log.ts";
import { makePayloads, type Payloads } from "./payloads.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { AuditGate } from "../../../engine/run/audit-gate.ts";
import { userInfo } from "node:os";
import type { EventOf, HostEvent, RunEvent, RunFacts } from "../../../schemas/run/events.ts";
import type { AuditedStart } from "./audit-line.ts";
import { bundleDigest, lockfileDigest } from "../digests.ts";

/** Opens the audit log. Throws a `CodemodeError` where it cannot be written and has to be. */
export function openAudit(config: Config, settings: FilledAudit, note: (line: string) => void): ConfiguredObservers {
  assertSettingTrusted(config, "audit.file");
  const { file, required } = settings;
  const secrets = makeValueMask(findSecrets(config, process.env));
  const log = makeAuditLog(
    resolve(config.folder, file),
    (value) => (secrets.isEmpty ? value : maskTexts(value, secrets.text)),
    (reason) => note(`The audit log ${file} cannot be written: ${reason}`),
  );
  if (!log.prepare() && required) throw auditUnwritable(file);
  return {
    listeners: [auditEvents(log, makePayloads(settings))],
    gate: required ? makeAuditGate(log) : undefined,
    close: async () => log.close(),
  };
}

/**
 * Lets nothing run that is not written down: a run whose start could not be is refused, and one is ended before its next call when a line of it
 * could not be.
 */
function makeAuditGate(log: AuditLog): AuditGate {
  return {
    refusal: UNWRITTEN,
    async whileWritten(signal, work) {
      if (log.isBroken()) return undefined;
      const stop = new AbortController();
      let isUnwritten = false;
      const cancel = (): void => stop.abort(signal?.reason);
      const forget = log.onBroken(() => {
        isUnwritten = true;
        stop.abort();
      });
      signal?.addEventListener("abort", cancel, { once: true });
      if (signal?.aborted === true) cancel();
      try {
        const answer = await work(stop.signal);
        return isUnwritten ? undefined : answer;
      } finally {
        forget();
        signal?.removeEventListener("abort", cancel);
      }
    },
  };
}

const UNWRITTEN: Diagnostic = {
  severity: "error",
  code: "AUDIT_FAILED",
  message: "The audit log cannot be written, and every run must be in it.",
  hint: "Tell the operator of codemode, whose log has the reason. Then run the script again.",
};

/** What is known of a run until its last line. */
interface AuditedRun {
  payloads: Payloads;
  limits: readonly string[];
  bundled?: EventOf<"bundled">;
}

/** Writes down who ran what, what was decided about it, and which tools it called. */
function auditEvents(log: AuditLog, makeRunPayloads: () => Payloads): (event: HostEvent) => void {
  const runs = new WeakMap<RunFacts, AuditedRun>();
  const write = (event: HostEvent): void => {
    if ("run" in event) {
      const known = runs.get(event.run) ?? { payloads: makeRunPayloads(), limits: [] };
      runs.set(event.run, known);
      return auditRunEvent(event, known, log);
    }
    switch (event.type) {
      case "access-refused": {
        const { type: _, ...facts } = event;
        log.write({ event: "access.refused", ...facts });
        return;
      }
      case "run-turned-away":
        log.write({ event: "run.turned-away", code: event.code, client: event.client });
        return;
      case "server-changed": {
        if (event.kind !== "drifted") return;
        const { type: _, kind: _kind, ...drift } = event;
        log.write({ event: "server.drifted", ...drift });
      }
    }
  };
  return (event) => {
    try {
      write(event);
    } catch (error) {
      // A listener that throws gets no further events of its run, and the lines of all of them are wanted.
      log.fail(error);
    }
  };
}

function toStart({ runId, origin, client, subject, trace, key }: RunFacts): AuditedStart {
  const traceId = trace?.traceparent.split("-")[1];
  return {
    event: "run.started",
    runId,
    origin,
    ...withoutUndefined({ user: client === undefined ? userName() : undefined, client }),
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

function auditRunEvent(event: RunEvent & { run: RunFacts }, audited: AuditedRun, log: AuditLog): void {
  const { run } = event;
  const { runId } = run;
  const { payloads, limits, bundled } = audited;
  const digest = () => (bundled === undefined ? {} : { bundle: bundleDigest(bundled.bundle) });
  switch (event.type) {
    case "run-started":
      log.write(toStart(run));
      return;
    case "bundled":
      audited.bundled = event;
      return;
    case "reviewed": {
      const { verdict, approvalBy, approvalName } = event;
      const lockfile = bundled === undefined ? undefined : lockfileDigest(bundled.accepted);
      const decided = { lockfile, verdict, approvalBy, approvalName, tools: event.tools() };
      log.write({ event: "run.reviewed", runId, ...digest(), ...decided });
      return;
    }
    case "call-checked": {
      const { number: call, serverId, toolName, tool, verdict } = event;
      const facts = { serverId, toolName, integrity: tool?.integrity, verdict, inputBytes: event.inputBytes() };
      log.write({ event: "call.started", runId, call, ...facts, ...payloads.ofInput(event.input) });
      return;
    }
    case "call-reviewed": {
      const { type: _, run: _run, number: call, input, ...facts } = event;
      const written = input === undefined ? {} : payloads.ofInput(input);
      log.write({ event: "call.reviewed", runId, call, ...facts, ...written });
      return;
    }
    case "call-settled": {
      const { number: call, outcome, code, rpcCode, durationMs, result, resultBytes } = event;
      const end = { outcome, code, rpcCode, durationMs: Math.round(durationMs), resultBytes: resultBytes() };
      log.write({ event: "call.ended", runId, call, ...end, ...payloads.ofResult(result) });
      return;
    }
    case "question-ended": {
      const { serverId, mode, outcome } = event;
      log.write({ event: "question.ended", runId, serverId, mode, outcome });
      return;
    }
    case "script-ended":
      audited.limits = event.limits;
      return;
    case "run-ended": {
      const { ok, codes, durationMs, calls } = event;
      const end = { durationMs: Math.round(durationMs), calls, limits };
      log.write({ event: "run.ended", runId, ok, codes, ...digest(), ...end });
    }
  }
}
