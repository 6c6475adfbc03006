import type { BundleOptions, BundleOutcome, ScriptSource } from "../bundle/bundle-script.ts";

/** What the host asks of the bundling process, one at a time. */
export interface BundleRequest {
  script: ScriptSource;
  options: BundleOptions;
}

/** What it answers; an `error` is a mistake in codemode, not in the script. */
export type BundleReply = { outcome: BundleOutcome } | { error: string };
