import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { BundleOptions, ScriptSource } from "../bundle-script.ts";

/** What the host asks of the bundling process. */
export interface BundleRequest {
  script: ScriptSource;
  options: Omit<BundleOptions, "lockfile">;
  /** Absent where it is that of the request before: it names every tool, and most scripts are bundled under the same one. */
  lockfile?: Lockfile | undefined;
}
