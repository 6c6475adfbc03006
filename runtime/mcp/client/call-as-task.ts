import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { Link } from "./establish-link.ts";
import type { RequestSettings } from "./mcp-client.ts";
import type { Handshake } from "./handshake.ts";

/** Milliseconds between two looks at a task. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;
const DEFAULT_PAUSE_MS = 1000;

/** For a server to hear that its task is no longer wanted. */
const CANCEL_MS = 2000;

const LONGEST_ID = 1024;

/** Whether tools of a server can be called as tasks (MCP 2025-11-25). Later revisions have an extension, which codemode does not declare. */
export function takesTasks({ era, capabilities }: Handshake): boolean {
  let found: unknown = era === "legacy" ? capabilities : undefined;
  for (const key of ["tasks", "requests", "tools", "call"]) {
    if (!isJsonObject(found)) return false;
    found = ownValue(found, key);
  }
  return isJsonObject(found);
}

/**
 * Calls a tool as a task, and looks at that until it is over, within `maxTotalMs` of the call. The task is cancelled where the call is, or takes
 * longer.
 */
export async function callAsTask(
  { client }: Link,
  failures: ConnectionFailures,
  params: JsonObject,
  action: string,
  settings: RequestSettings,
): Promise<JsonObject> {
  const { timeoutMs, signal, maxTotalMs = timeoutMs } = settings;
  const limitMs = Math.max(maxTotalMs, timeoutMs);
  const deadline = performance.now() + limitMs;
  const remaining = (): number => {
    if (signal?.aborted === true) throw failures.cancelled(action);
    const left = deadline - performance.now();
    if (left <= 0) throw failures.timedOut(action, limitMs);
    return left;
  };
  const created = await client.request(
    "tools/call",
    { ...params, task: { ttl: Math.ceil(limitMs) } },
    action,
    settings,
  );
  const task = ownValue(created, "task");
  // A server may answer at once all the same.
  if (task === undefined && Array.isArray(ownValue(created, "content"))) return created;
  const taskId = isJsonObject(task) ? ownValue(task, "taskId") : undefined;
  if (!isJsonObject(task) || typeof taskId !== "string" || taskId.length > LONGEST_ID) {
    throw failures.protocol("a task without an id");
  }
  try {
    for (let state = task; ;) {
      if (readStatus(state, taskId, failures) !== "working") break;
      await pause(Math.min(readPause(state), remaining()), signal);
      state = await client.request("tasks/get", { taskId }, action, {
        timeoutMs: Math.min(timeoutMs, remaining()),
        signal,
      });
    }
    // It answers when the task is over, after questions too.
    return await client.request("tasks/result", { taskId }, action, { ...settings, timeoutMs: remaining() });
  } catch (error) {
    const isOurs = error instanceof ConnectionError && (error.kind === "cancelled" || error.kind === "timeout");
    if (isOurs)
      await client.request("tasks/cancel", { taskId }, action, { timeoutMs: CANCEL_MS }).catch(() => undefined);
    throw error;
  }
}

const STATUSES = new Set(["working", "input_required", "completed", "failed"]);

function readStatus(state: JsonObject, taskId: string, failures: ConnectionFailures): string {
  const status = ownValue(state, "status");
  if (ownValue(state, "taskId") !== taskId)
    throw failures.protocol("the state of another task than the one that was asked for");
  if (status === "cancelled") throw failures.protocol("that it cancelled the task by itself");
  if (typeof status !== "string" || !STATUSES.has(status)) throw failures.protocol("a task without a known status");
  return status;
}

function readPause(state: JsonObject): number {
  const suggested = ownValue(state, "pollInterval");
  const pauseMs = typeof suggested === "number" && suggested > 0 ? suggested : DEFAULT_PAUSE_MS;
  return Math.min(Math.max(pauseMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}
