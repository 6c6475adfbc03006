import type { ConnectionErrorKind, ConnectionError } from "./connection-error.ts";
import type { ProbeAnswer } from "./wire/sdk-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/**
 * How to find out the era of a server (MCP 2026-07-28, versioning): `legacy` does not ask, `ask` does and takes a short
 * silence for a no, `ask-patiently` gives the server all its time. `old-http` is the transport before streamable HTTP.
 */
export type Attempt = "legacy" | "ask" | "ask-patiently" | "old-http";

/** What an attempt came to. */
export interface FailedAttempt {
  error: ConnectionError;
  probe: ProbeAnswer;
  endedByServer: boolean;
}

/**
 * Servers before the question was invented answer it with an error at once. Those that keep silent cost this much; a
 * slow start costs nothing, because `initialize` then waits in the pipe behind the question.
 */
const SHORT_SILENCE_MS = 1_500;

/** Over HTTP there is no pipe to wait in, and a server may have to be woken up first. */
const SHORT_HTTP_SILENCE_MS = 10_000;

/** Signs of a server that does not know what it was asked. */
const REFUSALS: ReadonlySet<ConnectionErrorKind> = new Set(["http-error", "protocol", "rpc-error"]);

/** HTTP statuses by which older servers refuse what they do not know. */
const OLD_HTTP_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415]);

export function firstAttempt(target: ServerTarget): Attempt {
  if (target.transport === "sse") return "old-http";
  if (target.era === undefined) return "ask";
  return target.era === "legacy" ? "legacy" : "ask-patiently";
}

/** What to try after a failure, none of it twice; undefined where it would not help. */
export function nextAttempt(
  target: ServerTarget,
  tried: readonly Attempt[],
  failed: FailedAttempt,
): Attempt | undefined {
  const next = chooseNext(target, tried, failed);
  return next === undefined || tried.includes(next) ? undefined : next;
}

function chooseNext(target: ServerTarget, tried: readonly Attempt[], failed: FailedAttempt): Attempt | undefined {
  const { error, probe } = failed;
  const isRefused = REFUSALS.has(error.kind);
  // Some servers end at the first message that is not `initialize`.
  if (failed.endedByServer && probe === "silence") return "legacy";
  if (probe === "late-yes") return "ask-patiently";
  if (isRefused && probe === "silence" && target.transport === "stdio") return "ask-patiently";
  if (target.transport === "stdio") return isRefused && tried.at(-1) === "legacy" ? "ask-patiently" : undefined;
  if (target.transport === "sse") return undefined;
  if (error.kind === "timeout" && probe === "silence") return "legacy";
  if (isRefused && tried.at(-1) === "legacy" && tried.length === 1) return "ask-patiently";
  return OLD_HTTP_STATUSES.has(error.status) && error.kind === "http-error" ? "old-http" : undefined;
}

/** How long to wait for the answer to the question; undefined where it is not asked. */
export function probeTimeout(target: ServerTarget, attempt: Attempt): number | undefined {
  if (attempt === "legacy" || attempt === "old-http") return undefined;
  if (attempt === "ask-patiently") return target.timeoutMs;
  return Math.min(target.transport === "stdio" ? SHORT_SILENCE_MS : SHORT_HTTP_SILENCE_MS, target.timeoutMs / 2);
}
