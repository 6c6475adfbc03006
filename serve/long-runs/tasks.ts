import { clock } from "../../engine/clock.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, ownValue, asJson } from "../../schemas/json/json.ts";
import { JSON_METHOD } from "../agent/as-sdk.ts";
import { readEnvelope } from "../agent/caller.ts";
import { KEPT_MINUTES } from "../bounded-cache.ts";
import { WHY_LOST } from "./print-run-news.ts";
import type { LongRuns, RunState } from "./runs.ts";

/** A run that continues is a task to clients that declare the MCP extension io.modelcontextprotocol/tasks (SEP-2663). */
export const TASKS_EXTENSION = { "io.modelcontextprotocol/tasks": {} };

const POLL_INTERVAL_MS = 2000;

/** Whether a request says that its client knows tasks; only requests of 2026-07-28 do. */
export function declaresTasks(context: ServerContext): boolean {
  const extensions = readEnvelope(context)?.capabilities.extensions ?? {};
  return Object.keys(TASKS_EXTENSION).every((name) => Object.hasOwn(extensions, name));
}

/** The result of `tools/call` for a run that continues. */
export function toTaskResult(state: RunState): JsonObject {
  return { resultType: "task", ...toTask(state) };
}

/** Answers `tasks/get`, `tasks/cancel` and `tasks/update` with the runs of this client. A task never asks, so that updates have no effect. */
export function serveTasks(server: Server, runs: LongRuns): void {
  const find = async (params: unknown, context: ServerContext): Promise<RunState> => {
    if (!declaresTasks(context)) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: TASKS_EXTENSION } });
    }
    const id = isJsonObject(params) ? ownValue(params, "taskId") : undefined;
    const state = typeof id === "string" ? await runs.look(id, context.sessionId ?? "") : undefined;
    if (state === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_TASK);
    return state;
  };
  server.setRequestHandler("tasks/get", JSON_METHOD, async (params, context) => {
    const state = await find(params, context);
    const { ended } = state;
    const result = ended?.result === undefined ? {} : { result: asJson(ended.result) };
    const error = ended !== undefined && ended.result === undefined ? { error: FAILURE } : {};
    return { resultType: "complete", ...toTask(state), ...(state.isCancelled ? {} : { ...result, ...error }) };
  });
  server.setRequestHandler("tasks/cancel", JSON_METHOD, async (params, context) => {
    await runs.end((await find(params, context)).id, context.sessionId ?? "");
    return { resultType: "complete" };
  });
  server.setRequestHandler("tasks/update", JSON_METHOD, async (params, context) => {
    await find(params, context);
    return { resultType: "complete" };
  });
}

/** The same for every id that is not a task of this client. */
const NO_TASK = `No task of this client has this id: ${WHY_LOST}.`;
const FAILURE = { code: ProtocolErrorCode.InternalError, message: "codemode failed. Its standard error says why." };

function toTask({ id, begunAt, ended, isCancelled, findings }: RunState): JsonObject {
  const [finding] = findings;
  return {
    taskId: id,
    status: statusOf(ended, isCancelled),
    createdAt: new Date(begunAt).toISOString(),
    lastUpdatedAt: new Date(ended?.at ?? clock.wall()).toISOString(),
    ttlMs: ended === undefined ? null : ended.at - begunAt + KEPT_MINUTES * 60_000,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...withoutUndefined({
      statusMessage: finding === undefined ? undefined : `${finding.message} ${finding.hint ?? ""}`.trimEnd(),
    }),
  };
}

function statusOf(ended: RunState["ended"], isCancelled: boolean): string {
  if (ended === undefined) return "working";
  if (isCancelled) return "cancelled";
  return ended.result === undefined ? "failed" : "completed";
}
