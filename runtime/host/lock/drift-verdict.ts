import type { Access } from "../../../schemas/access/access.ts";
import type { DriftPolicy } from "../../../schemas/config/config-file.ts";
import type { ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { findOperation } from "../../../schemas/lock/operations.ts";
import { type Diagnostic, errorsOf } from "../../../schemas/run/answer.ts";
import type { ToolToApprove } from "../../../schemas/run/approval.ts";
import type { Manifest, ManifestTool } from "../../../schemas/run/bundle.ts";

/** When drift stops a run: never, when a tool of the manifest differs, or when anything of its servers does. */
export type Refusal = { kind: "none" } | { kind: "tool"; manifest: Manifest } | { kind: "server" };

/**
 * What stops a script or a call before it begins.
 * @param refuseBy with `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that
 */
export function refusalAtStart(drift: DriftPolicy, refuseBy: "server" | "tool", manifest: Manifest): Refusal {
  if (drift === "refuse" && refuseBy === "server") return { kind: "server" };
  return drift === "refuse" || drift === "review" ? { kind: "tool", manifest } : { kind: "none" };
}

/** What stops calls in the middle of a run, which keeps its lockfile: with `refresh` only a change of what a person has allowed for it. */
export function refusalInRun(drift: DriftPolicy, manifest: Manifest, granted: readonly ToolToApprove[]): Refusal {
  if (drift === "warn") return { kind: "none" };
  if (drift === "refuse" || drift === "review") return { kind: "tool", manifest };
  const isGranted = ({ serverId, toolName }: ManifestTool) =>
    granted.some((tool) => tool.serverId === serverId && tool.toolName === toolName);
  return { kind: "tool", manifest: { tools: manifest.tools.filter(isGranted) } };
}

/** Whether the change is one that stops the run. */
export function isRefused(change: ServerChange, refusal: Refusal): boolean {
  if (refusal.kind !== "tool") return refusal.kind === "server";
  const differing = new Set([...change.toolsChanged, ...change.toolsRemoved]);
  return refusal.manifest.tools.some(
    ({ serverId, toolName }) => serverId === change.serverId && differing.has(toolName),
  );
}

/** Whether a server that differs is followed: by the lockfile with `refresh`, by what scripts are offered with `review`. */
export function isFollowed(drift: DriftPolicy, refusal: Refusal): boolean {
  return drift === "review" ? refusal.kind !== "server" : drift === "refresh" && refusal.kind === "none";
}

/** What looks at servers, and what scripts can use after that: a `LiveLock`. */
interface LookingLock {
  look(serverIds: readonly string[], refusal: Refusal, access: Access): Promise<Diagnostic[]>;
  current(): Lockfile;
}

/** Looks again after an approval, which may take its time: what will be called must still be what was asked about. */
export async function findNewDrift(
  lock: LookingLock,
  drift: DriftPolicy,
  manifest: Manifest,
  access: Access,
): Promise<Diagnostic[]> {
  if (drift === "warn") return [];
  const drifted = errorsOf(await lock.look(serversOf(manifest), { kind: "tool", manifest }, access));
  // Another run may have made the lockfile follow the server meanwhile: then nothing drifts, and the tool is another.
  return drifted.length > 0 ? drifted : findMovedTools(manifest, lock.current(), "Run it again.");
}

/** The tools of a manifest that a lockfile no longer has as they were when the script was bundled, each as an error. */
export function findMovedTools({ tools }: Manifest, lockfile: Lockfile, hint: string): Diagnostic[] {
  return tools.flatMap((tool) => {
    const what = describeMove(tool, lockfile);
    if (what === undefined) return [];
    return [
      { severity: "error", code: "LOCK_DRIFT", message: `The bundle does not match the lockfile: ${what}.`, hint },
    ];
  });
}

function describeMove({ serverId, toolName, integrity }: ManifestTool, lockfile: Lockfile): string | undefined {
  const server = lockfile.servers.get(serverId);
  if (server === undefined) return `the lockfile has no server "${serverId}" any more`;
  const tool = findOperation(server, toolName);
  if (tool === undefined) return `the server "${serverId}" has no tool "${toolName}" any more`;
  return tool.integrity === integrity
    ? undefined
    : `the tool "${toolName}" of "${serverId}" has changed since it was bundled`;
}

/** The ids of the servers whose tools a manifest holds. */
export function serversOf({ tools }: Manifest): string[] {
  return [...new Set(tools.map(({ serverId }) => serverId))];
}
