import { type ConnectionSet, makeConnectionSet } from "../../runtime/host/connection-set.ts";
import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { withScripts } from "../../runtime/host/discovery/with-scripts.ts";
import { makeDryRun } from "../../runtime/host/checks/dry-run.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import type { Refusal } from "../../runtime/host/lock/describe-drift.ts";
import { makeLiveLock } from "../../runtime/host/lock/live-lock.ts";
import { type GatedRun, makeCallGate } from "../../runtime/host/lock/make-call-gate.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import type { OnServerEvent } from "../../schemas/run/server-event.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { makeRunQuestions } from "../../runtime/host/questions/run-questions.ts";
import { capLimits } from "../../runtime/host/sandbox/limits.ts";
import { makeRunClock } from "../../runtime/host/sandbox/run-clock.ts";
import type { SandboxPool } from "../../runtime/host/sandbox/pool.ts";
import { runBundle } from "../../runtime/host/sandbox/run-bundle.ts";
import { type Access, ownAccess } from "../../schemas/access/access.ts";
import { type Diagnostic, failedAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import type { Bundle, Manifest } from "../../schemas/run/bundle.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import type { Config, DriftPolicy } from "../../schemas/config/config.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Reader } from "../../schemas/reader.ts";
import { RUN_KEY_META } from "../../schemas/run/run-key.ts";
import { perLockfile } from "../../schemas/lock/per-lockfile.ts";
import { acceptServer } from "../project/accept-server.ts";
import type { Bundler } from "../bundle/process/start-bundler.ts";
import { findUnlocked } from "../project/config/find-server.ts";
import { bundlePlaces } from "../project/bundle-places.ts";
import { emitApart } from "../project/emit-process/emit-apart.ts";
import type { Host } from "./host.ts";
import { makeStartGate, type OnUnstartable } from "./admit-start.ts";
import { errorsOf, makeOneToolCall } from "./call-one-tool.ts";
import { checkScriptInput } from "./check-script-input.ts";
import { findMovedTools } from "./find-moved-tools.ts";
import { serversOf } from "./named-servers.ts";
import { makeScriptPreparation } from "./prepare-script.ts";
import { recordRun } from "./record-run.ts";
import { withRunKey } from "./run-key.ts";
import { makeScriptReview } from "./review-script.ts";
import { makeVisibleLockfiles } from "./visible-lockfiles.ts";
import { makeFairTurns } from "../process/fair-turns.ts";
import { signatureOf } from "../project/emit/signatures.ts";

/** What a host is made from. Pool and bundler are the caller's, who starts them early and ends them. */
export interface HostOptions {
  config: Config;
  lockfile: Lockfile;
  /** Where servers start before the host is there; otherwise it makes its own. It ends them either way. */
  connections?: ConnectionSet;
  /** Receives events of servers; with `connections` of the caller only drift. */
  onServerEvent?: OnServerEvent | undefined;
  pool: SandboxPool;
  bundler: Pick<Bundler, "bundle">;
  drift: DriftPolicy;
  /** For whom the hints of answers are; a person unless given. */
  reader?: Reader;
  /** With `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that. */
  refuseBy: "server" | "tool";
  /** What is in the lockfile on disk where that has changed; without it the host takes no notice of changes. */
  readChanged?: (() => Promise<Lockfile | undefined>) | undefined;
  /** `tell` unless given. */
  onUnstartable?: OnUnstartable;
}

/** One for each lockfile, however many runs it serves. */
const discoveryOf = perLockfile((lockfile) => makeDiscovery(lockfile, signatureOf));

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost(options: HostOptions): Host {
  const { config, lockfile, pool, bundler, drift, refuseBy, reader = "person", onServerEvent: onEvent } = options;
  const connections = options.connections ?? makeConnectionSet(config, { lockfile, onEvent });
  const inTurn = makeFairTurns();
  const accept = (server: Parameters<typeof acceptServer>[1]) => inTurn(() => acceptServer(config, server, emitApart));
  const lock = makeLiveLock({ config, lockfile, connections, drift, accept, reader, onEvent });
  const visible = makeVisibleLockfiles();
  // The operator learns that a tool is denied; for a client it does not exist.
  const importable = (access: Access): Lockfile =>
    access.client === undefined ? lock.current() : visible(lock.current(), access);
  const refusalOf = (manifest: Manifest): Refusal => {
    if (drift !== "refuse") return { kind: "none" };
    return refuseBy === "server" ? { kind: "server" } : { kind: "tool", manifest };
  };
  /** Consent may take its time: what will be called must still be what was asked about. */
  const lookAgain = async (manifest: Manifest, access: Access): Promise<Diagnostic[]> => {
    if (drift === "warn") return [];
    const drifted = errorsOf(await lock.look(serversOf(manifest), { kind: "tool", manifest }, access));
    // Another run may have made the lockfile follow the server meanwhile: then nothing drifts, and the tool is another.
    return drifted.length > 0 ? drifted : findMovedTools(manifest, lock.current(), "Run it again.");
  };
  const gate = (run: GatedRun) => makeCallGate(lock, drift, run);
  const checks = {
    checkInput: makeInputCheck(),
    checkOutput: makeOutputCheck(),
  };
  const admitStart = makeStartGate({ connections, onUnstartable: options.onUnstartable ?? "report" });
  const preparation = makeScriptPreparation({
    places: bundlePlaces(config),
    lock,
    bundler,
    inTurn,
    importable,
    refusalOf,
    admitStart,
    onlyTells: drift === "warn",
    unlocked: ({ servers }) => findUnlocked(config, lock.current()).filter((id) => matchesAny(id, servers)),
    takesIn: drift === "refresh",
    reader,
    reach: (serverId, access) => connections.get(serverId, access).catch(() => undefined), // then its calls say why
  });

  const review = makeScriptReview(lookAgain, reader);

  return {
    async run(asked) {
      const request = withRunKey(asked);
      const { access, onLog, onToolCall, beforeCall, signal, observation } = request;
      const limits = capLimits(request.limits ?? {}, config.limits, config.limits);
      if (request.result !== undefined) limits.maxResultBytes = request.result.maxBytes;
      const {
        outcome,
        lockfile: bound,
        seen,
        findings,
        isRefused,
      } = await preparation.prepare(request, limits.timeoutMs);
      if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...(await findings)]);
      const { bundle, warnings } = outcome;
      observation?.bundled?.({ bundle, lockfile: bound, accepted: lock.current() });
      if (isRefused) return failedAnswer([...(await findings), ...warnings]);
      const mismatch = checkScriptInput(bundle.input, request.input ?? null);
      if (mismatch !== undefined) return failedAnswer([mismatch, ...(await findings), ...warnings]);
      const consent = await review(bundle, bound, request);
      if (!consent.ok) return failedAnswer([...consent.diagnostics, ...(await findings), ...warnings]);
      const reported: Diagnostic[] = [];
      const dryRun =
        request.dryRun === undefined ? undefined : makeDryRun(checks.checkOutput, request.dryRun.onSkipped);
      const { manifest } = bundle;
      const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic);
      const pass = gate({ lockfile: bound, manifest, access, granted: consent.granted, seen, reader, report });
      const clock = makeRunClock();
      const toolHost = makeToolHost({
        ...checks,
        hear: makeRunQuestions({ ask: request.ask, access, hold: clock.hold, observation }),
        connectionOf: beforeCall === undefined ? pass : (serverId) => beforeCall().then(() => pass(serverId)),
        reader,
        maxCallMs: limits.timeoutMs,
        lockfile: bound,
        manifest,
        access,
        granted: consent.granted,
        discover: withScripts(discoveryOf(visible(bound, access)), request.listScripts ?? (async () => [])),
        readResult: request.results?.read,
        report,
        observation,
        runSignal: signal,
        meta: { [RUN_KEY_META]: request.key },
        ...(dryRun === undefined ? {} : { dryRun }),
      });
      const runOptions = {
        ...{ toolHost, pool, clock },
        trustDomain: trustDomainOf(bundle, access.client, consent.granted.length > 0),
        limits,
        reader,
        input: request.input ?? null,
        key: request.key,
        onStart: observation && (() => observation.scriptStarted?.()),
        onEnd: observation && (() => observation.scriptEnded?.()),
        onLimit: observation && ((limit: keyof RunLimits) => observation.limitHit?.(limit)),
        readResult: request.result?.read,
        ...(onLog === undefined ? {} : { onLog }),
        ...(onToolCall === undefined ? {} : { onToolCall }),
        ...(signal === undefined ? {} : { signal }),
      };
      const answer = await (request.record === undefined
        ? runBundle(bundle, runOptions)
        : recordRun(bundle, runOptions, request.record, { script: request.script.name, lockfile: bound }));
      const skipped = dryRun?.findings() ?? [];
      const found = await findings;
      // What the start of the run and one of its calls have both met is said once.
      const said = new Set(found.map(({ severity, message }) => `${severity} ${message}`));
      const added = reported.filter(({ severity, message }) => !said.has(`${severity} ${message}`));
      return { ...answer, diagnostics: [...answer.diagnostics, ...added, ...skipped, ...found, ...warnings] };
    },
    bundle: async (request) => (await preparation.bundle(request)).outcome,
    callTool: makeOneToolCall({
      ...checks,
      gate,
      reader,
      lock,
      callable: importable,
      refusalOf,
      admitStart,
      lookAgain,
    }),
    lockfile: () => lock.current(),
    async refresh() {
      const changed = await options.readChanged?.();
      if (changed !== undefined) lock.learn(changed);
    },
    visibleLockfile: (access) => visible(lock.current(), access),
    connectSoon(serverIds, access) {
      const failures: Diagnostic[] = [];
      for (const serverId of serverIds) {
        void connections
          .get(serverId, access)
          .catch((error) => failures.push(toServerDiagnostic(error, serverId, reader)));
      }
      return () => failures;
    },
    follow: (serverIds) => lock.look(serverIds, { kind: "none" }, ownAccess(config.policy)),
    close: () => connections.close(),
  };
}

/** Whose runs may share a process. A consent is for one script: no other one's code may ever have been, or come, into its process. */
function trustDomainOf({ code }: Bundle, client = "", isGranted: boolean): string {
  return isGranted ? `${client}\n${digestText(code)}` : client;
}
