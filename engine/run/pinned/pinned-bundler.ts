import type { PinnedBundle } from "../../../schemas/run/pinned-bundle.ts";
import type { Bundler } from "../../bundle/process/bundler.ts";
import { findMovedTools } from "../../../runtime/host/lock/drift-verdict.ts";

const BUNDLE_AGAIN =
  "Review the change with `codemode diff` or in the lockfile's history, then renew the bundle with `codemode bundle`.";

/**
 * A bundler for a host that runs a pinned bundle: nothing is bundled, but each tool of the manifest is held against the
 * lockfile as it is now. One that differs, or is gone, stops the run.
 */
export function makePinnedBundler({ bundle }: PinnedBundle): Pick<Bundler, "bundle"> {
  return {
    bundle(_script, { lockfile }) {
      const diagnostics = findMovedTools(bundle.manifest, lockfile, BUNDLE_AGAIN);
      const pinned = { ok: true as const, bundle, warnings: [], isPinned: true as const };
      return Promise.resolve(diagnostics.length > 0 ? { ok: false, diagnostics } : pinned);
    },
  };
}
