import { type Access, visibleServer } from "../../schemas/access.ts";
import type { Diagnostic } from "../../schemas/answer.ts";
import type { Manifest } from "../../schemas/bundle.ts";
import { diffServer, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer } from "../../schemas/lockfile.ts";

/** When drift stops a run: never, when a tool of the manifest differs, or when anything of its servers does. */
export type Refusal = { kind: "none" } | { kind: "tool"; manifest: Manifest } | { kind: "server" };

export const REVIEW = "Review it with `codemode diff`, and accept it with `codemode lock`.";

/** Whether the change is one that stops the run. */
export function isRefused(change: ServerChange, refusal: Refusal): boolean {
  if (refusal.kind !== "tool") return refusal.kind === "server";
  const differing = new Set([...change.toolsChanged, ...change.toolsRemoved]);
  return refusal.manifest.tools.some(
    ({ serverId, toolName }) => serverId === change.serverId && differing.has(toolName),
  );
}

/** The change as far as the access shows it; undefined where it shows none of it. */
export function toShown(
  change: ServerChange,
  before: LockedServer | undefined,
  after: LockedServer,
  access: Access,
): ServerChange | undefined {
  // Whoever runs codemode may know what the policy denies.
  if (access.client === undefined) return change;
  const visible = before === undefined ? undefined : visibleServer(before, access);
  const shown = diffServer(change.serverId, visible, visibleServer(after, access));
  return shown === undefined || (shown.kind === "changed" && shown.changes.length === 0) ? undefined : shown;
}

/** The finding that a server is not what the lockfile says. */
export function drifted(
  severity: Diagnostic["severity"],
  serverId: string,
  change: ServerChange | undefined,
  hint: string,
): Diagnostic {
  const what = change === undefined ? "" : ` (${describeChange(change)})`;
  return { severity, code: "LOCK_DRIFT", message: `The server "${serverId}" differs from the lockfile${what}.`, hint };
}

function describeChange({ toolsAdded, toolsRemoved, toolsChanged }: ServerChange): string {
  const parts = [
    [toolsAdded, "added"],
    [toolsRemoved, "removed"],
    [toolsChanged, "changed"],
  ] as const;
  const tools = parts.filter(([names]) => names.length > 0).map(([names, what]) => `${what}: ${names.join(", ")}`);
  return tools.length === 0 ? "its own description changed" : `tools ${tools.join("; ")}`;
}

/** The finding that a server is locked and not configured. */
export function notConfigured(serverId: string, refusal: Refusal): Diagnostic {
  return {
    severity: refusal.kind === "server" ? "error" : "warning",
    code: "LOCK_DRIFT",
    message: `The server "${serverId}" is in the lockfile but not in the configuration.`,
    hint: "Run `codemode lock`, or add the server again.",
  };
}
