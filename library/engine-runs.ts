import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import {
  type DoneCall,
  type DurableExtra,
  type DurableRuns,
  loadExtra,
  type LostCall,
  type PlanUndo,
  type ResumeRequest,
} from "../engine/extras.ts";
import { whenAborted } from "../engine/when-aborted.ts";
import type { Host } from "../engine/open-host.ts";
import { takeAgain } from "../runtime/host/checks/own-input.ts";
import type { Config } from "../schemas/config/config.ts";
import { callBack, type OnCallbackFailed } from "../schemas/run/call-back.ts";
import type { RunAnswer } from "../schemas/run/answer.ts";
import { isReadOnly, isRepeatable } from "../schemas/access/policy.ts";
import { durableRunUnknown, optionInvalid } from "../schemas/errors.ts";
import { listSome } from "../schemas/list-some.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { findOperation } from "../schemas/lock/operations.ts";
import { parseQuestionId } from "../schemas/run/question-id.ts";
import { CALL_NUMBER_META, RUN_KEY_META } from "../schemas/run/run-key.ts";
import { toToolContext } from "../runtime/mcp/connect-functions.ts";
import type { EngineRuns, ResumeOptions, UndoOptions } from "./engine.ts";
import { holdCallbacks } from "./callbacks.ts";
import { listOwnTools } from "./own-rights.ts";
import type { RunPartsOf } from "./run-parts.ts";

/** Keeps what runs, so that closing an engine can wait for it. */
type Track = <Value>(work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;

/** What runs need of their engine. */
interface EngineParts {
  track: Track;
  config: Config;
  lockfile: () => Lockfile;
  partsOf: RunPartsOf;
  /** Hears of callbacks that fail beside a run. */
  onFailed: OnCallbackFailed;
}

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
  { track, config, lockfile, partsOf, onFailed }: EngineParts,
): EngineRuns {
  const { client } = common.access;
  /** For a client, the runs of others do not exist. */
  const own = async (id: string): Promise<void> => {
    if (client !== undefined && (await runs.find(id)).client !== client) throw durableRunUnknown(id);
  };
  /** What a run may do as it goes on is decided by the context that it is given now. */
  const goOn = async (
    way: "resume" | "retry",
    id: string,
    { onLog, context, ...waits }: ResumeOptions,
    signal: AbortSignal,
  ): Promise<RunAnswer> => {
    const { key } = await runs.find(id);
    const { report, withFindings, ...parts } = await partsOf({ context, key, onLog });
    const { durable } = holdCallbacks({ durable: waits }, report);
    const request: ResumeRequest = { ...common, ...parts, ...durable, signal };
    return withFindings(await runs[way](id, request));
  };
  return {
    find: (id) => own(id).then(() => runs.find(id)),
    list: async () => (await runs.list()).filter((run) => client === undefined || run.client === client),
    steps: (id) => own(id).then(() => runs.steps(id)),
    cancel: (id) => own(id).then(() => runs.cancel(id)),
    remove: (id) => own(id).then(() => runs.remove(id)),
    decide: (id, digest, decision) =>
      own(id).then(() => runs.decide(id, digest, { by: { way: "callback" }, ...decision })),
    questions: async () => (await runs.questions()).filter((asked) => client === undefined || asked.client === client),
    answer: (id, decision, proof) =>
      own(parseQuestionId(id)?.run ?? id).then(() => runs.answer(id, { by: { way: "callback" }, ...decision }, proof)),
    recording: (id) => own(id).then(() => runs.recording(id)),
    prune: runs.prune,
    async undo(id, options = {}) {
      await own(id);
      const undone = await track((signal) =>
        runs.undo(id, (calls, run) =>
          planUndo({ tools: listOwnTools(config), lockfile: lockfile() }, calls, { ...options, signal, run }),
        ),
      );
      return undone.map(placeOf);
    },
    resume: (id, options = {}) => track((signal) => goOn("resume", id, options, signal)),
    retry: (id, options = {}) => track((signal) => goOn("retry", id, options, signal)),
    watch({ suspendAfterMs, onFailure = silent } = {}) {
      const ending = new AbortController();
      const request = { ...common, suspendAfterMs };
      const tell = (error: unknown): void => void callBack("onFailure", () => onFailure(error), undefined, onFailed);
      const stop = runs.watch((of) => (of === client ? { ...request, signal: ending.signal } : undefined), tell);
      const end = (): void => {
        stop();
        ending.abort();
      };
      void track((signal) => whenAborted(AbortSignal.any([signal, ending.signal]))).finally(end);
      return end;
    },
  };
}

/** The `undo` of each call's tool. Throws where one has none that may have changed something, or may have been called already. */
function planUndo(
  { tools, lockfile }: { tools: ReturnType<typeof listOwnTools>; lockfile: Lockfile },
  calls: readonly DoneCall[],
  { context, partial = false, repeat = false, signal, run }: UndoOptions & UndoneRun,
): ReturnType<PlanUndo> {
  const undoOf = (call: LostCall) => tools.get(placeOf(call))?.undo;
  /** A tool that is gone claims nothing. */
  const claimsOf = ({ serverId, toolName }: LostCall) => findOperation(lockfile.servers.get(serverId), toolName) ?? {};
  const isMissing = (call: DoneCall): boolean => undoOf(call) === undefined && !isReadOnly(claimsOf(call));
  const isUnclear = (call: DoneCall): boolean => call.isUnclear === true && !repeat && !isRepeatable(claimsOf(call));
  const refuse = (found: readonly LostCall[], problem: string, hint: string): void => {
    const names = listSome([...new Set(found.map(placeOf))]);
    if (found.length > 0 && !partial)
      throw optionInvalid(
        "undo",
        problem.replace("NAMES", () => names),
        hint,
      );
  };
  refuse(calls.filter(isMissing), "there is no `undo` of NAMES", "Give it to them, or pass `partial: true`.");
  refuse(
    calls.filter(isUnclear),
    "a process has ended while it took back NAMES, and it is not known how far it came",
    "Look there, then pass `repeat: true` to call `undo` of it again, or `partial: true` to leave it.",
  );
  refuse(
    run.lost.filter((call) => !isReadOnly(claimsOf(call))),
    "it is not known whether calls of NAMES were made",
    "Look there, and take them back by hand where they were; then pass `partial: true`.",
  );
  return calls.map((call) => {
    const undo = isUnclear(call) ? undefined : undoOf(call);
    const meta = { [RUN_KEY_META]: run.key, [CALL_NUMBER_META]: call.number };
    const options = { caller: { context, runId: run.id }, meta, signal };
    return (
      undo &&
      (async () => {
        signal.throwIfAborted();
        return undo(await takeAgain(tools.get(placeOf(call)) ?? {}, call.input), call.result, toToolContext(options));
      })
    );
  });
}

/** Which run is taken back, until when. */
interface UndoneRun {
  run: Parameters<PlanUndo>[1];
  signal: AbortSignal;
}

/** Whole, as own tools are listed: names in messages are cut. */
function placeOf({ serverId, toolName }: LostCall): string {
  return `${serverId}/${toolName}`;
}
