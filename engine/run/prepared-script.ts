import type { Access } from "../../schemas/access/access.ts";
import type { StartRequest } from "../../runtime/host/admit-start.ts";
import type { Lockfile, LockedServer } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { BundleOutcome, ScriptSource } from "../bundle/build.ts";
import type { EarlierResults } from "../project/script.ts";
import type { Bundler } from "../bundle/process/bundler.ts";

/** A script that may run, with the lockfile that it is bound to. */
export interface PreparedScript {
  outcome: BundleOutcome;
  lockfile: Lockfile;
  /** Its servers that were listed when it was bound to the lockfile, as they were. */
  seen: ReadonlyMap<string, LockedServer>;
  /** What was found about its servers, perhaps only while it runs. */
  findings: Promise<Diagnostic[]>;
  /** Whether an error among the findings forbids that it runs. */
  isRefused: boolean;
}

/** What bundling takes of a bundler; a pinned bundle is one too. */
export type BundlesScripts = Pick<Bundler, "bundle">;

/** A script, and whose it is. */
export interface ScriptToBundle extends StartRequest {
  script: ScriptSource;
  access: Access;
  /** Takes the place of the host's bundler; it must not read the generated packages. */
  bundler?: BundlesScripts | undefined;
  /** What it may import from `@codemode/results`. */
  results?: EarlierResults | undefined;
  /** Ends the wait for its servers. */
  signal?: AbortSignal | undefined;
}

export interface ScriptPreparation {
  /** Bundles as a run would. */
  bundle(request: ScriptToBundle): Promise<Pick<PreparedScript, "outcome" | "lockfile">>;
  /**
   * Bundles, connects and looks at the servers that the bundle uses, and bundles again where the lockfile has followed them.
   * @param timeoutMs of the run: servers that take longer are not waited for, and the script does not start
   */
  prepare(request: ScriptToBundle, timeoutMs: number): Promise<PreparedScript>;
}
