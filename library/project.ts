import type { PinOutcome } from "../engine/run/pinned/pin-script.ts";
import type { OutputChange } from "../engine/project/emit/generate-packages.ts";
import type { OnProgress, ShowWork } from "../schemas/progress.ts";
import type { ConfigFile, RunLimits } from "../schemas/config/config-file.ts";
import type { ServerChange } from "../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { ToolListProblem } from "../schemas/lock/server-snapshot.ts";
import type { CodemodeError } from "../schemas/codemode-error.ts";
import type { CheckResult } from "./check-result.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Engine } from "./engine.ts";
import type { OwnServers } from "./own-servers.ts";
import type { ReadScript, Script } from "../engine/project/script.ts";

/** Which project is opened, and with what. */
export interface ProjectOptions {
  /** The folder that relative paths belong to, and where a configuration is looked for; the working directory unless given. */
  cwd?: string | undefined;
  /** A configuration's file, or the configuration itself. Unless given, the first of the files that `codemode` looks for. */
  config?: string | ConfigFile | undefined;
  /** The variables that placeholders such as `${TOKEN}` stand for; `process.env` unless given. */
  env?: { readonly [name: string]: string | undefined } | undefined;
  /**
   * Trusts the programs and addresses of a configuration's file. Without it they start only if this account has trusted them (`codemode trust`,
   * `CODEMODE_TRUST=1`, also in `env`). A configuration that the program passes itself is trusted.
   */
  trust?: boolean | undefined;
  /** Servers of the program itself, beside the configured ones: functions as tools, or MCP servers. They are not locked. */
  servers?: OwnServers | undefined;
  /** Cancels all work that the project's methods have started. */
  signal?: AbortSignal | undefined;
}

/** What all work with servers takes. */
export interface WorkOptions {
  /** Ids or names of servers; all unless given. */
  servers?: readonly string[] | undefined;
  /** Ends the work: the method rejects. */
  signal?: AbortSignal | undefined;
  /** Called when a part of the work is done. */
  onProgress?: OnProgress | undefined;
}

/** How servers compare with the lockfile. */
export interface DiffResult {
  /** Each server that differs, with its tools and a class for each change. */
  changes: readonly ServerChange[];
  /** Ids of the servers that answered. */
  answered: readonly string[];
  /** Servers that did not answer. Each keeps the entry that it has. */
  failures: readonly ServerLockFailure[];
}

/** What locking came to: what a comparison gives, and the new lockfile. */
export interface LockResult extends DiffResult {
  /** What the servers and the former lockfile make together. */
  lockfile: Lockfile;
  /** Entries of tool lists that were left out, by server id. */
  problems: ReadonlyMap<string, readonly ToolListProblem[]>;
  /** Secrets that stand in the configuration as text, and patterns in it that match nothing, one sentence for each. */
  warnings: readonly string[];
}

/** A server that did not answer. */
export interface ServerLockFailure {
  /** Its id in the lockfile. */
  serverId: string;
  /** Why, with a hint. */
  error: CodemodeError;
}

/** What repairing a lockfile came to. The changes are against what could be read of it. */
export interface RepairResult extends LockResult {
  /** Why entries were not taken over, by server id. */
  broken: ReadonlyMap<string, string>;
  /** What is wrong with shapes of results that were left out, by the id of the server. */
  brokenShapes: ReadonlyMap<string, readonly string[]>;
}

/** Files of the generated packages, relative to the output folder. */
export interface GenerateResult extends OutputChange {
  /** Whether the output folder held a package before. What was never generated is not out of date: `check` lists nothing then. */
  wasGenerated: boolean;
  /** What the packages follow from. */
  lockfile: Lockfile;
}

/** What may be prepared for a script. */
export interface PrepareOptions {
  /** Lock and generate nothing: a missing lockfile or an outdated package is an error. */
  frozen?: boolean;
  /** Cancels the preparation. */
  signal?: AbortSignal | undefined;
  /** Called with each line on what is locked or generated. */
  onNote?: ((line: string) => void) | undefined;
  /** Shows the progress of the first lock, under a label. */
  showProgress?: ShowWork | undefined;
}

/** A pinned bundle with warnings, or the reasons why there is none. */
export type BundleResult = PinOutcome;

/** A project on disk. Opening it starts nothing. */
export interface Project {
  /** The folder of the configuration, the lockfile and the generated packages. */
  readonly folder: string;
  /** The lockfile as it is on disk; undefined where there is none. Throws a `CodemodeError` where it is broken. */
  readonly lockfile: Lockfile | undefined;
  /** The limits of a run that asks for no lower ones: milliseconds, bytes and numbers of calls. */
  readonly limits: RunLimits;
  /**
   * Reads the file that a script names. What it gives runs without looking at the file again.
   * @throws CodemodeError where the file cannot be read
   * @example
   * const script = await project.read({ code: "export default 6 * 7;" });
   * console.log("bundle" in script ? script.bundle.name : script.code);
   */
  read(script: Script): Promise<ReadScript>;
  /**
   * Snapshots servers into the lockfile, and writes it unless no server has answered; with `check` it writes nothing. A server that does not answer is in `failures`.
   * @throws CodemodeError where the lockfile is broken (`LOCKFILE_INVALID`), or a name of `servers` is unknown (`SERVER_UNKNOWN`)
   * @example
   * const { answered, failures } = await project.lock();
   * for (const { serverId, error } of failures) console.error(serverId, error.message, error.hint);
   * console.log(answered);
   */
  lock(options?: WorkOptions & { check?: boolean }): Promise<LockResult>;
  /**
   * Repairs a lockfile that does not parse, after a merge for instance: intact entries are kept without starting their servers, all others are
   * locked again. Undefined where nothing is broken.
   * @throws CodemodeError where there is no lockfile (`LOCKFILE_MISSING`)
   * @example
   * const repaired = await project.repair();
   * console.log(repaired === undefined ? "nothing to repair" : [...repaired.broken.keys()]);
   */
  repair(options?: Omit<WorkOptions, "servers">): Promise<RepairResult | undefined>;
  /**
   * Compares servers with the lockfile, and writes nothing.
   * @throws CodemodeError as `lock`
   * @example
   * const { changes } = await project.diff();
   * const isSafe = changes.every(({ severity }) => severity === "compatible" || severity === "text");
   * if (!isSafe) process.exitCode = 3;
   */
  diff(options?: WorkOptions): Promise<DiffResult>;
  /**
   * Emits the server packages from the lockfile; locks first where there is none. With `check` nothing is written, and the result
   * lists what is out of date. `out` is the folder to write into, relative to the project folder; unless given the configuration's.
   * @throws CodemodeError where the folder holds files of others (`OUTPUT_NOT_OURS`); with `check` also where the lockfile is missing
   * (`LOCKFILE_MISSING`), or has types of another form than the configuration (`LOCKFILE_OUTDATED`)
   * @example
   * await project.generate();
   * const { written } = await project.generate({ check: true });
   * console.log(written.length === 0 ? "up to date" : written);
   */
  generate(options?: WorkOptions & { check?: boolean; out?: string | undefined }): Promise<GenerateResult>;
  /**
   * Bundles and type-checks a script, and compares what it may call with the policy. Runs nothing and connects no server.
   * @throws CodemodeError where the lockfile is missing or a file cannot be read; what is wrong with the script is a diagnostic
   * @example
   * const { ok, tools } = await project.check({ code: `import "@codemode/servers/memory"; export default 1;` });
   * console.log(ok, tools?.map(({ toolName, policy }) => [toolName, policy]));
   */
  check(script: Script, options?: Pick<PrepareOptions, "onNote">): Promise<CheckResult>;
  /**
   * Bundles a script and pins it to its tools and the lockfile. With `frozen` it locks and generates nothing, as in `EngineOptions`.
   * @throws CodemodeError where the project cannot be prepared, or the script is a pinned bundle already (`SCRIPT_PINNED`)
   * @example
   * const pinned = await project.bundle({ code: "export default 6 * 7;" });
   * if (pinned.ok) console.log(pinned.pinned.bundle.manifest.tools);
   */
  bundle(script: Script, options?: PrepareOptions): Promise<BundleResult>;
  /**
   * Opens what runs scripts and calls tools. It locks and generates first where that is missing, unless `frozen` is set. Servers are
   * connected when a script needs them.
   * @throws CodemodeError where the project cannot be prepared, or `client` is unknown (`SERVED_CLIENT_UNKNOWN`)
   * @example
   * const engine = await project.openEngine({ drift: "refuse", limits: { timeoutMs: 10_000 } });
   * const { result } = await engine.run({ code: "export default 6 * 7;" });
   * console.log(result);
   * await engine.close();
   */
  openEngine(options?: EngineOptions): Promise<Engine>;
}
