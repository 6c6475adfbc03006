import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { openDurable, openOnce, withRequests } from "./engine-runs.ts";
import { findScript, type ReadScript, type Script, sourceOf } from "../engine/project/script.ts";
import { makePinnedBundler } from "../engine/run/pinned/pinned-bundler.ts";
import type { Access } from "../schemas/access/access.ts";
import { withCheckedOptions } from "./known-options.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { checkScript } from "./check-script.ts";
import { makeOwnRights } from "./own-rights.ts";
import { makeRunParts } from "./run-parts.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Engine } from "./engine.ts";
import { openHostFor, configFor, accessFor, type OpenedProject, purposeOf } from "./engine-host.ts";
import { makeToolMethods } from "./tool-methods.ts";
import { isDurable, runInEngine } from "./run-in-engine.ts";
import { untilOpened } from "./opening-callbacks.ts";
import { trackWork } from "./track-work.ts";
import { makeAgentMethods } from "./agent-methods.ts";

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
          return runInEngine(runOptions, partsOf, request, host.run, durable.get);
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
    ...makeToolMethods(served, seenBy, common),
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

const silent = (): void => undefined;
