import { type DurableExtra, type DurableRuns, loadExtra } from "../engine/extras.ts";
import type { Host, RunRequest } from "../engine/open-host.ts";
import type { ResumeRequest } from "../engine/run/durable-extra.ts";
import { joinSinks } from "../runtime/host/observe.ts";
import type { Config } from "../schemas/config/config.ts";
import { durableRunUnknown } from "../schemas/errors.ts";
import type { RunAnswer } from "../schemas/run/answer.ts";
import { isRunKey } from "../schemas/run/run-key.ts";
import type { EngineRuns, RunOptions } from "./engine.ts";
import { runKeyInvalid, runNotDurable } from "./errors.ts";

/** Keeps what runs, so that closing an engine can wait for it. */
type Track = <Value>(work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;

const silent = (): void => undefined;

/** Whether the options ask for a durable run. */
export function isDurable({ durable }: RunOptions): boolean {
  return durable !== undefined && durable !== false;
}

/** Runs a script, durably where the options say so: then its signal cancels it for good, and the end of the engine leaves it as it is. */
export async function runWith(
  options: RunOptions,
  common: Pick<RunRequest, "access" | "approve" | "ask" | "script" | "bundler" | "signal">,
  run: Host["run"],
  openRuns: () => Promise<DurableRuns>,
): Promise<RunAnswer> {
  const { input = null, key, limits, signal, onLog, onCall, dryRun, record, durable, observation } = options;
  if (key !== undefined && !isRunKey(key)) throw runKeyInvalid(key);
  const sink = joinSinks([observation, { logged: onLog, callEvent: onCall }]);
  const request = { ...common, input, key, limits, dryRun, record, sink };
  if (!isDurable(options)) return withKey(await run(request), key);
  if ((dryRun ?? record) !== undefined) throw runNotDurable();
  const settings = durable === true ? {} : durable;
  return withKey(await (await openRuns()).begin({ ...request, cancel: signal, ...settings }), key);
}

function withKey(answer: RunAnswer, key: string | undefined): RunAnswer {
  return key === undefined ? answer : { ...answer, key };
}

export async function openDurable(
  config: Config,
  { run }: Host,
  env: NodeJS.ProcessEnv | undefined,
): Promise<DurableRuns> {
  return (await loadExtra<DurableExtra>("durable")).openDurableRuns(config, run, env);
}

/** Opens something when it is first asked for. */
export function openOnce<Value>(open: () => Promise<Value>) {
  let opening: Promise<Value> | undefined;
  return { get: () => (opening ??= open()), opened: async () => opening };
}

/** Durable runs, which this engine goes on with as it runs others. */
export function withRequests(
  runs: DurableRuns,
  common: Pick<ResumeRequest, "access" | "approve">,
  track: Track,
): EngineRuns {
  const { client } = common.access;
  /** For a client, the runs of others do not exist. */
  const own = async (id: string): Promise<void> => {
    if (client !== undefined && (await runs.find(id)).client !== client) throw durableRunUnknown(id);
  };
  return {
    find: (id) => own(id).then(() => runs.find(id)),
    list: async () => (await runs.list()).filter((run) => client === undefined || run.client === client),
    steps: (id) => own(id).then(() => runs.steps(id)),
    cancel: (id) => own(id).then(() => runs.cancel(id)),
    remove: (id) => own(id).then(() => runs.remove(id)),
    decide: (id, digest, decision) => own(id).then(() => runs.decide(id, digest, decision)),
    prune: runs.prune,
    resume: (id, { suspendAfterMs, onLog } = {}) =>
      track((signal) => runs.resume(id, { ...common, signal, suspendAfterMs, sink: joinSinks([{ logged: onLog }]) })),
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

/** Resolves when one of the signals is aborted. */
function endOf(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals);
  return new Promise((resolve) => {
    if (any.aborted) resolve();
    else any.addEventListener("abort", () => resolve(), { once: true });
  });
}
