import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { type DurableExtra, type DurableRuns, loadExtra } from "../engine/extras.ts";
import type { Host } from "../engine/open-host.ts";
import type { DoneCall, PlanUndo, ResumeRequest } from "../engine/run/durable-extra.ts";
import { joinSinks } from "../runtime/host/observe.ts";
import type { Config } from "../schemas/config/config.ts";
import { isReadOnly } from "../schemas/access/policy.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { durableRunUnknown, optionInvalid } from "../schemas/errors.ts";
import { listSome } from "../schemas/list-some.ts";
import { CALL_NUMBER_META } from "../schemas/run/run-key.ts";
import { toToolContext } from "../runtime/mcp/connect-functions.ts";
import type { EngineRuns, ResumeSettings, UndoOptions } from "./engine.ts";
import { listOwnTools } from "./own-rights.ts";

/** Keeps what runs, so that closing an engine can wait for it. */
type Track = <Value>(work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;

const silent = (): void => undefined;

export async function openDurable(
  config: Config,
  host: Host,
  env: NodeJS.ProcessEnv | undefined,
): Promise<DurableRuns> {
  return (await loadExtra<DurableExtra>("durable")).openDurableRuns(config, host, env);
}

/** Opens something when it is first asked for. */
export function openOnce<Value>(open: () => Promise<Value>) {
  let opening: Promise<Value> | undefined;
  return { get: () => (opening ??= outsideOfRequests(open)), opened: async () => opening };
}

/** Durable runs, which this engine goes on with as it runs others. */
export function withRequests(
  runs: DurableRuns,
  common: Pick<ResumeRequest, "access" | "approve">,
  track: Track,
  config: Config,
): EngineRuns {
  const { client } = common.access;
  /** For a client, the runs of others do not exist. */
  const own = async (id: string): Promise<void> => {
    if (client !== undefined && (await runs.find(id)).client !== client) throw durableRunUnknown(id);
  };
  const toRequest = ({ onLog, ...waits }: ResumeSettings, signal: AbortSignal): ResumeRequest => ({
    ...{ ...common, ...waits, signal },
    sink: joinSinks([{ logged: onLog }]),
  });
  return {
    find: (id) => own(id).then(() => runs.find(id)),
    list: async () => (await runs.list()).filter((run) => client === undefined || run.client === client),
    steps: (id) => own(id).then(() => runs.steps(id)),
    cancel: (id) => own(id).then(() => runs.cancel(id)),
    remove: (id) => own(id).then(() => runs.remove(id)),
    decide: (id, digest, decision) =>
      own(id).then(() => runs.decide(id, digest, { by: { way: "callback" }, ...decision })),
    recording: (id) => own(id).then(() => runs.recording(id)),
    prune: runs.prune,
    async undo(id, options = {}) {
      await own(id);
      const undone = await track(() => runs.undo(id, (calls) => planUndo(config, calls, options)));
      return undone.map(({ serverId, toolName }) => `${serverId}/${toolName}`);
    },
    resume: (id, options = {}) => track((signal) => runs.resume(id, toRequest(options, signal))),
    retry: (id, options = {}) => track((signal) => runs.retry(id, toRequest(options, signal))),
    watch({ suspendAfterMs, onFailure = silent } = {}) {
      const ending = new AbortController();
      const request = { ...common, suspendAfterMs };
      const stop = runs.watch((of) => (of === client ? { ...request, signal: ending.signal } : undefined), onFailure);
      const end = (): void => {
        stop();
        ending.abort();
      };
      void track((signal) => endOf(signal, ending.signal)).finally(end);
      return end;
    },
  };
}

/** The `undo` of each call's tool. Throws where one has none that may have changed something. */
function planUndo(
  config: Config,
  calls: readonly DoneCall[],
  { context, partial = false }: UndoOptions,
): ReturnType<PlanUndo> {
  const tools = new Map(listOwnTools(config).map(({ place, tool }) => [place, tool]));
  const toolOf = ({ serverId, toolName }: DoneCall) => tools.get(`${serverId}/${toolName}`);
  const missing = calls.filter((call) => {
    const tool = toolOf(call);
    return (
      tool?.undo === undefined &&
      !(tool !== undefined && isReadOnly(withoutUndefined({ annotations: tool.definition["annotations"] })))
    );
  });
  const names = [...new Set(missing.map(({ serverId, toolName }) => `${serverId}/${toolName}`))];
  if (names.length > 0 && !partial)
    throw optionInvalid(
      "undo",
      `there is no \`undo\` of ${listSome(names)}`,
      "Give it to them, or pass `partial: true`.",
    );
  return calls.map((call) => {
    const undo = toolOf(call)?.undo;
    const options = { caller: { context }, meta: { [CALL_NUMBER_META]: call.number } };
    return undo && (async () => undo(call.input, call.result, toToolContext(options)));
  });
}

/** Resolves when one of the signals is aborted. */
function endOf(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals);
  return new Promise((resolve) => {
    if (any.aborted) resolve();
    else any.addEventListener("abort", () => resolve(), { once: true });
  });
}
