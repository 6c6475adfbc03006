import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { assertSendable } from "./assert-sendable.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { toHostReply } from "../runtime/host/call/to-reply.ts";
import { settlesWithin } from "@codemode/runtime/connections/settles-within";
import { type Host, type HostPurpose, openHost, type Requester, type RunRequest } from "../engine/open-host.ts";
import type { OwnLock } from "../engine/open/lock-own-servers.ts";
import { joinSignals, withJoinedSignal } from "../engine/process/join-signals.ts";
import { openDurable, openOnce, withRequests } from "./engine-runs.ts";
import { findScript, type ReadScript, type Script, sourceOf } from "../engine/project/script.ts";
import { findLostPatterns, printLost } from "../engine/project/config/lost-patterns.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { findSelection } from "../engine/select-tools.ts";
import { makePinnedBundler } from "../engine/run/pinned/pinned-bundler.ts";
import { type Access, accessOf, ownAccess } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import {
  engineClosed,
  engineLimited,
  runKeyInvalid,
  runNotDurable,
  servedClientUnknown,
  toolCallFailed,
  toolUnnamed,
} from "./errors.ts";
import { withCheckedOptions } from "./known-options.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { RunAnswer } from "../schemas/run/answer.ts";
import type { ShowWork } from "../schemas/progress.ts";
import { callBack } from "../schemas/run/call-back.ts";
import { isRunKey } from "../schemas/run/run-key.ts";
import { serverIdOf } from "../schemas/lock/operations.ts";
import { checkScript } from "./check-script.ts";
import { holdCallbacks } from "./callbacks.ts";
import { makeOwnRights } from "./own-rights.ts";
import { makeRunParts, type RunPartsOf } from "./run-parts.ts";
import type { Serving, Track } from "./serve-engine.ts";
import type { EngineOptions, RunOptions } from "./engine-options.ts";
import type { CallResult, Engine } from "./engine.ts";
import { toFrameworkTool } from "./framework-tool.ts";

/** A project that an engine is opened for. */
export interface OpenedProject {
  config: Config;
  cwd: string;
  env?: NodeJS.ProcessEnv | undefined;
  ownLock?: OwnLock | undefined;
  /** Its policy is the program's own: each of its patterns has to match something. */
  holdsPolicy?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Opens an engine: prepares the project, and resolves when scripts can run. It outlives the request in which it is opened. */
export async function openEngine(project: OpenedProject, options: EngineOptions = {}): Promise<Engine> {
  return (await openEngineFor(project, options)).engine;
}

/** The same, with what there is for a context. */
export async function openEngineFor(project: OpenedProject, options: EngineOptions = {}): Promise<OpenedEngine> {
  const { callbacks, release } = untilOpened(options);
  return outsideOfRequests(() => open(project, { ...options, ...callbacks })).finally(release);
}

interface OpenedEngine {
  engine: Engine;
  lockfileFor(context: unknown): Promise<Lockfile>;
}

/** What is said while an engine opens is said in the async context of who opens it, and later in none: that request is over then. */
function untilOpened({ onNote, showProgress }: EngineOptions) {
  let opener: AsyncResource | undefined = new AsyncResource("codemode.open");
  const within = <Given extends unknown[], Value>(callback: (...given: Given) => Value) => {
    return (...given: Given): Value =>
      opener === undefined ? callback(...given) : opener.runInAsyncScope(callback, undefined, ...given);
  };
  // There is no way to report a failed `onNote`.
  const note = onNote && within(onNote);
  return {
    callbacks: withoutUndefined({
      onNote: note && ((line: string) => void callBack("onNote", () => note(line), undefined, undefined)),
      showProgress: showProgress && within(holdProgress(showProgress)),
    }),
    release: (): void => void (opener = undefined),
  };
}

/** What shows progress fails for itself alone. */
function holdProgress(show: ShowWork): ShowWork {
  const hold = <Value>(call: () => Value) => callBack("showProgress", call, undefined, undefined);
  return (label) => {
    const work = hold(() => show(label)) as ReturnType<ShowWork> | undefined;
    return { update: (progress) => void hold(() => work?.update(progress)), end: () => void hold(() => work?.end()) };
  };
}

async function open(project: OpenedProject, options: EngineOptions): Promise<OpenedEngine> {
  const { cwd } = project;
  const config = configFor(project.config, options);
  const { script: first, onNote: note = silent } = options;
  const purpose = await purposeOf(options, config, cwd);
  // Before anything is started: where the client is unknown there is no engine that would end it.
  const partsOf = makeRunParts(accessFor(config, options), options, makeOwnRights(config), note);
  const { access, approve, approvalBy, ask, report } = await partsOf({});
  const { onFailed } = report;
  const opened = await openHostFor(project, options, config, purpose);
  const { host } = opened;
  const { track, endAll } = trackWork(project.signal);
  // Loaded only where scripts come from an agent: `codemode run` starts without it.
  const served = { host, config, access, partsOf, note, track };
  const serving = purpose.kind === "session" ? (await import("./serve-engine.ts")).makeServing(served) : undefined;
  const endings: (() => Promise<void>)[] = [];
  // The person who runs codemode sees denied tools and the reason; for a client they do not exist.
  const seenBy = (by: Access): Lockfile =>
    by.client === undefined && by.hidden === undefined ? host.lockfile() : host.visibleLockfile(by);
  const common = { access, approve, ask, ...withoutUndefined({ approvalBy }) };
  const find = async (script: Script): Promise<ReadScript> =>
    script === first && purpose.kind === "script" ? purpose.script : findScript(script, cwd, config);

  const durable = openOnce(() => openDurable(config, host, project.env));
  const engine: Engine = withCheckedOptions<Engine>("engine", {
    get lockfile(): Lockfile {
      return seenBy(access);
    },
    run: (script, runOptions = {}) =>
      track(
        async (signal) => {
          const found = await find(script);
          const isOther = "bundle" in found && !(purpose.kind === "script" && purpose.script === found);
          const bundler = isOther ? makePinnedBundler(found.bundle) : undefined;
          const request = { ...common, script: sourceOf(found), bundler, signal };
          return runWith(runOptions, partsOf, request, host.run, durable.get);
        },
        isDurable(runOptions) ? undefined : runOptions.signal,
      ),
    check: (script, { context } = {}) =>
      track(async () => {
        const { access: visible } = await partsOf({ context });
        return checkScript(await find(script), undefined, config, async () => seenBy(visible));
      }),
    async durableRuns() {
      return withCheckedOptions(
        "runs",
        withRequests(await durable.get(), common, { track, config, lockfile: host.lockfile, partsOf, onFailed }),
      );
    },
    ...makeToolCalls({ seenBy, partsOf, track, common, call: host.callTool }),
    ...makeAgentMethods(serving, endings),
    async close({ graceMs = 0 } = {}) {
      await Promise.all(endings.map((end) => end()));
      await endAll(graceMs);
      await (await durable.opened())?.close();
      await opened.close();
    },
    [Symbol.asyncDispose]: () => engine.close(),
  });
  return { engine, lockfileFor: async (context) => seenBy((await partsOf({ context })).access) };
}

/** What calls of single tools need of an engine. */
interface ToolCallParts {
  seenBy: (access: Access) => Lockfile;
  partsOf: RunPartsOf;
  track: Track;
  common: Pick<Requester, "access" | "approve" | "ask" | "approvalBy">;
  call: Host["callTool"];
}

function makeToolCalls(parts: ToolCallParts): Pick<Engine, "tryTool" | "callTool"> {
  const { seenBy, partsOf, track, common, call } = parts;
  const tryTool: Engine["tryTool"] = (tool, input = {}, callOptions = {}) => {
    const { signal } = callOptions;
    return track(async (ends): Promise<CallResult> => {
      assertSendable(input, "input");
      const { withFindings, report: _report, emit: _emit, ...given } = await partsOf(callOptions);
      const place = placeOf(seenBy(given.access), tool);
      signal?.throwIfAborted();
      const asked = { ...place, input, ...common, ...given };
      const outcome = await call({ ...asked, signal: ends });
      // Why the call ended is then the caller's own affair, and no fault of the server's.
      if (!outcome.ok) signal?.throwIfAborted();
      const { diagnostics } = withFindings(outcome);
      if (!outcome.ok) return { reply: outcome, diagnostics };
      return { result: outcome.result, reply: toHostReply(outcome.result, place, outcome.hint), diagnostics };
    }, signal);
  };
  return {
    tryTool,
    async callTool(tool, input, callOptions) {
      const { reply } = await tryTool(tool, input, callOptions);
      if (reply.ok) return reply.value;
      throw toolCallFailed(reply.error.message, reply.error.hint);
    },
  };
}

/** @param endings receives what ends connections */
function makeAgentMethods(
  serving: Serving | undefined,
  endings: (() => Promise<void>)[],
): Pick<Engine, "describeTool" | "toolFor" | "describeTools" | "toolsFor" | "connectTo"> {
  const served = (): Serving => {
    if (serving === undefined) throw engineLimited();
    return serving;
  };
  return {
    describeTool: () => served().describeTool(),
    describeTools: () => served().describeTools(),
    toolsFor: async (context) => served().describeToolsFor(context),
    toolFor: async (context) => toFrameworkTool(await served().describeToolFor(context)),
    async connectTo(transport, options = {}) {
      const { serveOn } = served();
      const end = await outsideOfRequests(() => serveOn(transport, options));
      endings.push(end);
      return end;
    },
  };
}

const silent = (): void => undefined;

/** Opens the host that the engine needs, and resolves when it can run scripts. */
async function openHostFor(
  project: OpenedProject,
  options: EngineOptions,
  config: Config,
  purpose: HostPurpose,
): Promise<{ host: Host; close(): Promise<void> }> {
  const { refuseBy, onUnstartable, frozen, concurrency, showProgress, observers } = options;
  const { onNote: note = silent, origin = "library", drift = driftOf(config, purpose) } = options;
  const { ready, close } = await openHost({
    ...{ config, purpose, note, isFrozen: frozen, concurrency, refuseBy, onUnstartable, showProgress, observers },
    ...{
      origin,
      drift,
      env: project.env,
      ownLock: project.ownLock,
      signal: joinSignals(project.signal, options.signal),
    },
  });
  try {
    const { host } = await ready;
    if (project.holdsPolicy === true) assertPolicyMeets(config, host.lockfile());
    return { host, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A pattern in `deny` that matches nothing denies nothing. */
function assertPolicyMeets(config: Config, lockfile: Lockfile): void {
  const ofPolicy = { ...config, serve: { ...config.serve, clients: [], direct: [] }, outputs: new Map() };
  const [lost] = findLostPatterns(ofPolicy, lockfile);
  if (lost === undefined) return;
  const known = [...lockfile.servers.keys()];
  throw optionInvalid("policy", `nothing matches ${printLost(lost)}`, `Servers: ${known.join(", ")}.`);
}

/** Whether the options ask for a durable run. */
function isDurable({ durable }: RunOptions): boolean {
  return durable !== undefined && durable !== false;
}

/** Runs a script, durably where the options say so: then its signal cancels it for good, and the end of the engine leaves it as it is. */
async function runWith(
  given: RunOptions,
  partsOf: RunPartsOf,
  common: Pick<RunRequest, "access" | "script" | "bundler" | "signal">,
  run: Host["run"],
  openRuns: () => ReturnType<typeof openDurable>,
): Promise<RunAnswer> {
  if (given.key !== undefined && !isRunKey(given.key)) throw runKeyInvalid(given.key);
  assertSendable(given.input ?? null, "input");
  const key = given.key ?? (isDurable(given) ? undefined : randomUUID());
  const { report, withFindings, ...parts } = await partsOf({ ...given, key });
  const { input = null, limits, signal, record, durable } = holdCallbacks(given, report);
  const isDryRun = given.dryRun !== undefined;
  const request = { ...common, ...parts, input, key, limits, isDryRun, record };
  if (!isDurable(given)) return withKey(withFindings(await run(request)), given.key);
  if (isDryRun || record !== undefined) throw runNotDurable();
  const settings = durable === true ? {} : durable;
  const answer = await (await openRuns()).begin({ ...request, cancel: signal, ...settings });
  return withKey(withFindings(answer), given.key);
}

function withKey(answer: RunAnswer, key: string | undefined): RunAnswer {
  return key === undefined ? answer : { ...answer, key };
}

/** Keeps what runs, so that closing can wait for it. */
function trackWork(signal: AbortSignal | undefined) {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  return {
    async track<Value>(work: (signal: AbortSignal) => Promise<Value>, own?: AbortSignal): Promise<Value> {
      if (ending.signal.aborted) throw engineClosed();
      const done = withJoinedSignal([ending.signal, signal, own], work);
      running.add(done);
      return done.finally(() => running.delete(done));
    },
    /** Waits for the grace period, in milliseconds, and cancels what has not ended. */
    async endAll(graceMs: number): Promise<void> {
      if (graceMs > 0) await settlesWithin(Promise.allSettled(running), graceMs);
      ending.abort();
      await Promise.allSettled(running);
    },
  };
}

/** The configuration with what the options put in its place. */
function configFor(config: Config, { limits, typecheck, isolation, reuse }: EngineOptions): Config {
  return {
    ...config,
    limits: { ...config.limits, ...limits },
    ...withoutUndefined({ typecheck }),
    sandbox: {
      ...config.sandbox,
      ...withoutUndefined({ isolation, reuse }),
    },
  };
}

/** A program that decides itself is the person; a client has what `serve.clients` gives it. */
function accessFor(config: Config, { client, approve, ask }: EngineOptions): Access {
  if (client === undefined) return { ...ownAccess(config.policy), mayApprove: true };
  const { clients } = config.serve;
  const known = clients.find(({ name }) => name === client);
  if (known === undefined) {
    throw servedClientUnknown(
      client,
      clients.map(({ name }) => name),
    );
  }
  return { ...accessOf({ kind: "http", client: known }, config), mayApprove: (approve ?? ask) !== undefined };
}

/** Scripts of an agent come one after the other, and servers change meanwhile; a script that is known was written for what is locked. */
function driftOf({ drift }: Config, { kind }: HostPurpose): Config["drift"] {
  return drift ?? (kind === "session" ? "review" : undefined);
}

async function purposeOf({ script, callsOnly }: EngineOptions, config: Config, cwd: string): Promise<HostPurpose> {
  if (script !== undefined) return { kind: "script", script: await findScript(script, cwd, config) };
  return { kind: callsOnly === true ? "call" : "session" };
}

/** The server and the tool that a word means. */
function placeOf(lockfile: Lockfile, word: string): { serverId: string; toolName: string } {
  const [selection] = findSelection(lockfile, word);
  const [tool] = selection?.tools ?? [];
  const isServer = selection?.server.id === word || selection?.server.name === word;
  if (selection === undefined || tool === undefined || isServer) throw toolUnnamed(word);
  return { serverId: serverIdOf(selection.server.id), toolName: tool.name };
}
