import { type Diagnostic, failedAnswer, type LogEntry, type RunAnswer, type RunLimits } from "../../schemas/answer.ts";
import type { Config, DriftPolicy } from "../../schemas/config.ts";
import type { JsonValue } from "../../schemas/json.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import { makeConnectionSet } from "../../runtime/host/connection-set.ts";
import { type Discovery, makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { makeInputCheck } from "../../runtime/host/input-check.ts";
import { makeLiveLock, type Refusal } from "../../runtime/host/live-lock.ts";
import { makeOutputCheck } from "../../runtime/host/output-check.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import { capLimits } from "../../runtime/host/sandbox/limits.ts";
import type { SandboxPool } from "../../runtime/host/sandbox/pool.ts";
import { runBundle } from "../../runtime/host/sandbox/run-bundle.ts";
import { acceptServer } from "./accept-server.ts";
import type { BundleOutcome, ScriptSource } from "./bundle/bundle-script.ts";
import type { Bundler } from "./bundle-process/start-bundler.ts";
import { outputFolder } from "./generate-packages.ts";
import { makeTurns } from "./make-turns.ts";

/** One script to run, and how. */
export interface RunRequest {
  script: ScriptSource;
  limits?: Partial<RunLimits>;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue;
  /** Called for each console line as it happens. */
  onLog?: (entry: LogEntry) => void;
  signal?: AbortSignal;
}

/** Holds the connections and credentials of a project, starts sandboxes and checks each call. */
export interface Host {
  /** Bundles and runs one script in a fresh sandbox. Whatever the script does, this resolves to an answer. */
  run(request: RunRequest): Promise<RunAnswer>;
  /** What is accepted now; it changes where the policy lets the lockfile follow the servers. */
  lockfile(): Lockfile;
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

/** A script that may run, with the lockfile that it is bound to. */
interface Prepared {
  outcome: BundleOutcome;
  lockfile: Lockfile;
  findings: Diagnostic[];
}

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost({ config, lockfile, pool, bundler, drift, refuseBy }: HostOptions): Host {
  const connections = makeConnectionSet(config, { lockfile });
  const checkInput = makeInputCheck();
  const checkOutput = makeOutputCheck();
  // One search index for each lockfile, however many runs it serves.
  const discoveries = new WeakMap<Lockfile, Discovery>();
  const discoveryOf = (bound: Lockfile): Discovery => {
    const known = discoveries.get(bound) ?? makeDiscovery(bound);
    discoveries.set(bound, known);
    return known;
  };
  // Nobody bundles while the packages are written, so no script sees half of a change.
  const inTurn = makeTurns();
  const lock = makeLiveLock({
    config,
    lockfile,
    connections,
    drift,
    accept: (server) => inTurn(() => acceptServer(config, server)),
  });

  const bundle = async (script: ScriptSource): Promise<Prepared> => {
    const bound = lock.current();
    const options = { generatedFolder: outputFolder(config), lockfile: bound };
    return { outcome: await inTurn(() => bundler.bundle(script, options)), lockfile: bound, findings: [] };
  };

  /** Bundles, looks at the servers that the bundle uses, and bundles again where the lockfile has followed them. */
  const prepare = async (script: ScriptSource): Promise<Prepared> => {
    const first = await bundle(script);
    const { outcome } = first;
    const serverIds = outcome.ok
      ? [...new Set(outcome.bundle.manifest.tools.map(({ serverId }) => serverId))]
      : namedServers(script.code, first.lockfile);
    const findings = await lock.look(serverIds, toRefusal(outcome));
    const hasFollowed = lock.current() !== first.lockfile;
    return { ...(hasFollowed ? await bundle(script) : first), findings };
  };

  const toRefusal = (outcome: BundleOutcome): Refusal => {
    if (drift !== "refuse" || !outcome.ok) return { kind: "none" };
    return refuseBy === "server" ? { kind: "server" } : { kind: "tool", manifest: outcome.bundle.manifest };
  };

  return {
    async run(request) {
      const { outcome, lockfile: bound, findings } = await prepare(request.script);
      if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...findings]);
      if (findings.some(({ severity }) => severity === "error"))
        return failedAnswer([...findings, ...outcome.warnings]);
      const reported: Diagnostic[] = [];
      const toolHost = makeToolHost({
        lockfile: bound,
        manifest: outcome.bundle.manifest,
        policy: config.policy,
        connectionOf: (serverId) => connections.get(serverId),
        checkInput,
        checkOutput,
        discover: discoveryOf(bound),
        report: (diagnostic) => reported.push(diagnostic),
      });
      const answer = await runBundle(outcome.bundle, {
        toolHost,
        pool,
        limits: capLimits(request.limits ?? {}, config.limits, config.limits),
        input: request.input ?? null,
        ...(request.onLog === undefined ? {} : { onLog: request.onLog }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      return { ...answer, diagnostics: [...answer.diagnostics, ...reported, ...findings, ...outcome.warnings] };
    },
    lockfile: () => lock.current(),
    close: () => connections.close(),
  };
}

/** The servers that a script which cannot be bundled names: one of them may have got the tool that is missing. */
function namedServers(code: string, lockfile: Lockfile): string[] {
  const names = [...code.matchAll(/@codemode\/servers\/([a-z0-9-]+)/g)].map(([, name]) => name as string);
  return [...new Set(names)].filter((name) => lockfile.servers.has(name));
}
