import { type Diagnostic, failedAnswer, type LogEntry, type RunAnswer, type RunLimits } from "../../schemas/answer.ts";
import { type Bundle } from "../../schemas/bundle.ts";
import { type Config } from "../../schemas/config.ts";
import { type JsonValue } from "../../schemas/json.ts";
import { type Lockfile } from "../../schemas/lockfile.ts";
import { makeConnectionSet } from "../../runtime/host/connection-set.ts";
import { checkDrift } from "../../runtime/host/check-drift.ts";
import { makeInputCheck } from "../../runtime/host/input-check.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import { capLimits } from "../../runtime/host/sandbox/limits.ts";
import { runBundle } from "../../runtime/host/sandbox/run-bundle.ts";
import { type SandboxPool } from "../../runtime/host/sandbox/pool.ts";
import type { ScriptSource } from "./bundle/bundle-script.ts";
import type { Bundler } from "./bundle-process/start-bundler.ts";
import { outputFolder } from "./generate-packages.ts";

/** One script to run, and how. */
export interface RunRequest {
  script: ScriptSource;
  limits?: Partial<RunLimits>;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue;
  /** Refuse before anything runs when a server that the script uses has drifted. */
  frozen?: boolean;
  /** Called for each console line as it happens. */
  onLog?: (entry: LogEntry) => void;
  signal?: AbortSignal;
}

/** Holds the connections and credentials of a project, starts sandboxes and checks each call. */
export interface Host {
  /** Bundles and runs one script in a fresh sandbox. Whatever the script does, this resolves to an answer. */
  run(request: RunRequest): Promise<RunAnswer>;
  /** Ends all servers. */
  close(): Promise<void>;
}

/** What a host is made from. Pool and bundler are the caller's, who starts them early and ends them. */
export interface HostOptions {
  config: Config;
  lockfile: Lockfile;
  pool: SandboxPool;
  bundler: Pick<Bundler, "bundle">;
}

/** Makes a host. Servers are connected when a script that uses them is about to run. */
export function makeHost({ config, lockfile, pool, bundler }: HostOptions): Host {
  const connections = makeConnectionSet(config);
  const checkInput = makeInputCheck();

  const runBundled = async (bundle: Bundle, warnings: Diagnostic[], request: RunRequest): Promise<RunAnswer> => {
    const drift = await checkDrift({
      config,
      lockfile,
      connections,
      manifest: bundle.manifest,
      frozen: request.frozen ?? false,
    });
    if (drift.some(({ severity }) => severity === "error")) return failedAnswer([...drift, ...warnings]);
    const reported: Diagnostic[] = [];
    const toolHost = makeToolHost({
      lockfile,
      manifest: bundle.manifest,
      policy: config.policy,
      connectionOf: (serverId) => connections.get(serverId),
      checkInput,
      report: (diagnostic) => reported.push(diagnostic),
    });
    const answer = await runBundle(bundle, {
      toolHost,
      pool,
      limits: capLimits(request.limits ?? {}, config.limits, config.limits),
      input: request.input ?? null,
      ...(request.onLog === undefined ? {} : { onLog: request.onLog }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    return { ...answer, diagnostics: [...answer.diagnostics, ...reported, ...drift, ...warnings] };
  };

  return {
    async run(request) {
      const outcome = await bundler.bundle(request.script, { generatedFolder: outputFolder(config), lockfile });
      return outcome.ok ? runBundled(outcome.bundle, outcome.warnings, request) : failedAnswer(outcome.diagnostics);
    },
    close: () => connections.close(),
  };
}
