import type { Diagnostic } from "../../schemas/answer.ts";
import type { ManifestTool } from "../../schemas/bundle.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import type { PinnedBundle } from "../../schemas/pinned-bundle.ts";
import type { Bundler } from "./bundle-process/start-bundler.ts";

/**
 * A bundler for a host that runs a pinned bundle: nothing is bundled, but each tool of the manifest is held against the
 * lockfile as it is now. One that differs, or is gone, stops the run.
 */
export function makePinnedBundler({ bundle }: PinnedBundle): Pick<Bundler, "bundle"> {
  return {
    bundle(_script, { lockfile }) {
      const diagnostics = bundle.manifest.tools.flatMap((tool) => describeDrift(tool, lockfile));
      return Promise.resolve(diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, bundle, warnings: [] });
    },
  };
}

function describeDrift({ serverId, toolName, integrity }: ManifestTool, lockfile: Lockfile): Diagnostic[] {
  const server = lockfile.servers.get(serverId);
  const tool = server?.tools.find(({ name }) => name === toolName);
  if (tool?.integrity === integrity) return [];
  const what =
    server === undefined
      ? `the lockfile has no server "${serverId}" any more`
      : tool === undefined
        ? `the server "${serverId}" has no tool "${toolName}" any more`
        : `the tool "${toolName}" of "${serverId}" is not the one that it was bundled with`;
  return [
    {
      severity: "error",
      code: "LOCK_DRIFT",
      message: `The bundle does not fit the lockfile: ${what}.`,
      hint: "Review the change with `codemode diff` or in the lockfile's history, then make the bundle again with `codemode bundle`.",
    },
  ];
}
