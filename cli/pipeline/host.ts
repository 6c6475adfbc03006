import type { Approve, ToolToApprove } from "../../runtime/host/approval.ts";
import { makeConnectionSet } from "../../runtime/host/connection-set.ts";
import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { withScripts } from "../../runtime/host/discovery/with-scripts.ts";
import { makeDryRun, type SkippedCall, withoutSkipped } from "../../runtime/host/dry-run.ts";
import { makeInputCheck } from "../../runtime/host/input-check.ts";
import { makeLiveLock, type Refusal } from "../../runtime/host/live-lock.ts";
import { lockedServers, recordBundle } from "../../runtime/host/recording/record-bundle.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import { makeOutputCheck } from "../../runtime/host/output-check.ts";
import { describeMissingApproval, reviewManifest } from "../../runtime/host/review-manifest.ts";
import { CANCELLED } from "../../runtime/host/sandbox/ending-diagnostics.ts";
import { capLimits } from "../../runtime/host/sandbox/limits.ts";
import type { SandboxPool } from "../../runtime/host/sandbox/pool.ts";
import { runBundle, type RunOptions } from "../../runtime/host/sandbox/run-bundle.ts";
import { seekApproval } from "../../runtime/host/seek-approval.ts";
import type { ToolCallEvent } from "../../runtime/host/tool-call-event.ts";
import type { Access } from "../../schemas/access.ts";
import { type Diagnostic, failedAnswer, type LogEntry, type RunAnswer, type RunLimits } from "../../schemas/answer.ts";
import type { Bundle, Manifest } from "../../schemas/bundle.ts";
import type { Config, DriftPolicy } from "../../schemas/config.ts";
import type { JsonValue } from "../../schemas/json.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import { perLockfile } from "../../schemas/per-lockfile.ts";
import type { Recording } from "../../schemas/recording.ts";
import { acceptServer } from "./accept-server.ts";
import type { BundleOutcome } from "./bundle/bundle-script.ts";
import type { Bundler } from "./bundle-process/start-bundler.ts";
import { bundlePlaces } from "./bundle-places.ts";
import { type CallOutcome, type CallRequest, errorsOf, makeOneToolCall } from "./host/call-one-tool.ts";
import { checkScriptInput } from "./host/check-script-input.ts";
import { findMovedTools } from "./host/find-moved-tools.ts";
import { makeScriptPreparation, type ScriptToBundle, serversOf } from "./host/prepare-script.ts";
import { makeVisibleLockfiles } from "./host/visible-lockfiles.ts";
import { makeTurns } from "./make-turns.ts";
import { signatureOf } from "./signatures.ts";

/** One script to run, and how. */
export interface RunRequest extends ScriptToBundle {
  /** Asks a person, where the policy says `ask`, before anything runs. */
  approve: Approve;
  limits?: Partial<RunLimits>;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue;
  /** Called for each console line as it happens. */
  onLog?: (entry: LogEntry) => void;
  /** Called at the start and the end of each tool call. */
  onToolCall?: (event: ToolCallEvent) => void;
  signal?: AbortSignal;
  /** Records the run; called unless the script did not get to run. */
  record?: RecordRequest;
  /** Calls only those tools whose servers claim that they only read; no consent is asked for the others. */
  dryRun?: DryRunRequest;
  /** What `listScripts` of discovery answers; nothing unless given. */
  listScripts?: () => Promise<JsonValue[]>;
}

export interface DryRunRequest {
  /** Told of each call that a real run would have made. */
  onSkipped?: (call: SkippedCall) => void;
}

export interface RecordRequest {
  /** Glob patterns over the names of what must not end in the recording. */
  redact: readonly string[];
  /** Told of the recording; undefined where more happened than one can hold. */
  onRecorded: (recording: Recording | undefined) => void;
}

/** Holds the connections and credentials of a project, starts sandboxes and checks each call. */
export interface Host {
  /** Bundles and runs one script in a fresh sandbox. Whatever the script does, this resolves to an answer. */
  run(request: RunRequest): Promise<RunAnswer>;
  /** Bundles a script as a run of it would, and runs nothing. */
  bundle(request: ScriptToBundle): Promise<BundleOutcome>;
  /** Calls one tool without a script, with the same checks. It never rejects. */
  callTool(request: CallRequest): Promise<CallOutcome>;
  /** What is accepted now; it changes where the policy lets the lockfile follow the servers. */
  lockfile(): Lockfile;
  /** What somebody may call now, or ask for; the same value as long as nothing has changed. */
  visibleLockfile(access: Access): Lockfile;
  /** Begins to connect servers that will be used soon, and waits for none. The function says which have failed by then. */
  connectSoon(serverIds: readonly string[]): () => readonly Diagnostic[];
  /** Ends all servers. */
  close(): Promise<void>;
}

/** What a host is made from. Pool and bundler are the caller's, who starts them early and ends them. */
export interface HostOptions {
  config: Config;
  lockfile: Lockfile;
  pool: SandboxPool;
  bundler: Pick<Bundler, "bundle">;
  drift: DriftPolicy;
  /** With `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that. */
  refuseBy: "server" | "tool";
}

/** One for each lockfile, however many runs it serves. */
const discoveryOf = perLockfile((lockfile) => makeDiscovery(lockfile, signatureOf));

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost({ config, lockfile, pool, bundler, drift, refuseBy }: HostOptions): Host {
  const connections = makeConnectionSet(config, { lockfile });
  const inTurn = makeTurns();
  const accept = (server: Parameters<typeof acceptServer>[1]) => inTurn(() => acceptServer(config, server));
  const lock = makeLiveLock({ config, lockfile, connections, drift, accept });
  const visible = makeVisibleLockfiles();
  // Whoever runs codemode is told of a denied tool that it is denied; for a client it does not exist.
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
  const checks = {
    connectionOf: (serverId: string) => connections.get(serverId),
    checkInput: makeInputCheck(),
    checkOutput: makeOutputCheck(),
  };
  const preparation = makeScriptPreparation({
    places: bundlePlaces(config),
    lock,
    bundler,
    inTurn,
    importable,
    refusalOf,
  });

  /** The tools that a person has just allowed, none where the policy asks nobody, or why the script does not run. */
  const review = async (bundle: Bundle, bound: Lockfile, request: RunRequest): Promise<Consent> => {
    const outcome = reviewManifest(bundle, bound, request.access);
    if (outcome.kind === "allowed") return { ok: true, granted: [] };
    if (outcome.kind === "denied") return { ok: false, diagnostics: [outcome.diagnostic] };
    const asked = request.dryRun === undefined ? outcome.request : withoutSkipped(outcome.request);
    if (asked.tools.length === 0) return { ok: true, granted: outcome.request.tools };
    const verdict = await seekApproval(asked, request.approve, request.signal);
    if (verdict === "cancelled") return { ok: false, diagnostics: [CANCELLED] };
    if (verdict !== "granted") return { ok: false, diagnostics: [describeMissingApproval(asked, verdict)] };
    const drifted = await lookAgain(bundle.manifest, request.access);
    return drifted.length > 0 ? { ok: false, diagnostics: drifted } : { ok: true, granted: outcome.request.tools };
  };

  return {
    async run(request) {
      const { access, onLog, onToolCall, signal } = request;
      const { outcome, lockfile: bound, findings } = await preparation.prepare(request);
      if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...findings]);
      const { bundle, warnings } = outcome;
      if (errorsOf(findings).length > 0) return failedAnswer([...findings, ...warnings]);
      const mismatch = checkScriptInput(bundle.input, request.input ?? null);
      if (mismatch !== undefined) return failedAnswer([mismatch, ...findings, ...warnings]);
      const consent = await review(bundle, bound, request);
      if (!consent.ok) return failedAnswer([...consent.diagnostics, ...findings, ...warnings]);
      const reported: Diagnostic[] = [];
      const dryRun =
        request.dryRun === undefined ? undefined : makeDryRun(checks.checkOutput, request.dryRun.onSkipped);
      const toolHost = makeToolHost({
        ...checks,
        lockfile: bound,
        manifest: bundle.manifest,
        access,
        granted: consent.granted,
        discover: withScripts(discoveryOf(visible(bound, access)), request.listScripts ?? (async () => [])),
        report: (diagnostic) => reported.push(diagnostic),
        ...(dryRun === undefined ? {} : { dryRun }),
      });
      const runOptions = {
        toolHost,
        pool,
        trustDomain: access.client ?? "",
        limits: capLimits(request.limits ?? {}, config.limits, config.limits),
        input: request.input ?? null,
        ...(onLog === undefined ? {} : { onLog }),
        ...(onToolCall === undefined ? {} : { onToolCall }),
        ...(signal === undefined ? {} : { signal }),
      };
      const answer = await (request.record === undefined
        ? runBundle(bundle, runOptions)
        : recordRun(bundle, runOptions, request.record, { script: request.script.name, lockfile: bound }));
      const skipped = dryRun?.findings() ?? [];
      return { ...answer, diagnostics: [...answer.diagnostics, ...reported, ...skipped, ...findings, ...warnings] };
    },
    bundle: async (request) => (await preparation.bundle(request)).outcome,
    callTool: makeOneToolCall({ ...checks, lock, callable: importable, refusalOf, lookAgain }),
    lockfile: () => lock.current(),
    visibleLockfile: (access) => visible(lock.current(), access),
    connectSoon(serverIds) {
      const failures: Diagnostic[] = [];
      for (const serverId of serverIds) {
        void connections.get(serverId).catch((error) => failures.push(toServerDiagnostic(error, serverId)));
      }
      return () => failures;
    },
    close: () => connections.close(),
  };
}

/** What came of the review of a script before it runs. */
type Consent = { ok: true; granted: readonly ToolToApprove[] } | { ok: false; diagnostics: Diagnostic[] };

async function recordRun(
  bundle: Bundle,
  options: RunOptions,
  { redact, onRecorded }: RecordRequest,
  { script, lockfile }: { script: string; lockfile: Lockfile },
): Promise<RunAnswer> {
  const subject = { redact, script, servers: lockedServers(bundle.manifest, lockfile) };
  const { answer, recording } = await recordBundle(bundle, options, subject);
  onRecorded(recording);
  return answer;
}
