import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { type Access, accessVerdict } from "../../../schemas/access/access.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Bundle, Manifest } from "../../../schemas/run/bundle.ts";
import { type Integrity, integrityOf } from "../../../schemas/lock/integrity.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { Claims, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../../schemas/lock/operations.ts";
import type { PolicyVerdict } from "../../../schemas/access/policy.ts";
import type { ApprovalRequest, ApprovalVerdict, ToolToApprove } from "../../../schemas/run/approval.ts";
import type { Audience } from "../../../schemas/audience.ts";
import { describeMissingApproval } from "./describe-missing-approval.ts";

/** What is to happen with a script before any of it runs. */
export type ManifestReview =
  | { kind: "allowed" }
  | { kind: "denied"; diagnostic: Diagnostic }
  | { kind: "ask"; request: ApprovalRequest };

/** Holds all that a script may call against the policy. One denied tool stops the whole script. */
export function reviewManifest(
  { code, manifest }: Pick<Bundle, "code" | "manifest">,
  lockfile: Lockfile,
  access: Access,
): ManifestReview {
  const evaluated = evaluateManifest(manifest, lockfile, access);
  const denied = evaluated.filter(({ verdict }) => verdict === "deny");
  if (denied.length > 0) {
    const isWhole = denied.some(({ entry }) => countsWhole(manifest, lockfile, entry.serverId));
    return {
      kind: "denied",
      diagnostic: describeDenial(
        denied.map(({ entry }) => entry),
        isWhole,
      ),
    };
  }
  const asked = evaluated.filter(({ verdict, isPending }) => verdict === "ask" || (verdict === "askEach" && isPending));
  if (asked.length === 0) return { kind: "allowed" };
  return { kind: "ask", request: { tools: asked.map(({ entry }) => entry), digest: digestOf(code, manifest) } };
}

/** True where a script may call all tools of a server that has several, as with a namespace that it passes on. */
function countsWhole({ tools }: Manifest, lockfile: Lockfile, serverId: string): boolean {
  const server = lockfile.servers.get(serverId);
  const own = tools.filter((tool) => tool.serverId === serverId);
  return own.length > 1 && own.length === server?.tools.length;
}

/** Over everything that an approval is for: two scripts, or one script and two sets of tools, never share a digest. */
function digestOf(code: string, { tools }: Manifest): string {
  const listed = tools.map(({ serverId, toolName, integrity, bundledIntegrity = integrity }): JsonValue => {
    return [serverId, toolName, bundledIntegrity];
  });
  return integrityOf([code, listed]);
}

export interface EvaluatedEntry {
  entry: ToolToApprove;
  verdict: PolicyVerdict;
  integrity: Integrity;
  /** No person has accepted its definition yet. */
  isPending: boolean;
}

/** In the order of the manifest, which is sorted. A tool that the lockfile lacks is left to the check of its call. */
export function evaluateManifest(manifest: Manifest, lockfile: Lockfile, access: Access): EvaluatedEntry[] {
  const toolsOf = new Map<string, Map<string, LockedTool>>();
  const byNameIn = (serverId: string): Map<string, LockedTool> => {
    const server = lockfile.servers.get(serverId);
    return new Map(server === undefined ? [] : operationsOf(server).map((tool) => [tool.name, tool]));
  };
  return manifest.tools.flatMap(({ serverId, toolName, integrity }) => {
    const known = toolsOf.get(serverId) ?? byNameIn(serverId);
    toolsOf.set(serverId, known);
    const tool = known.get(toolName);
    if (tool === undefined) return [];
    const verdict = accessVerdict(access, serverId, tool);
    return [{ entry: toEntry(serverId, tool), verdict, integrity, isPending: tool.pending !== undefined }];
  });
}

/** A tool as a person is asked about it. */
export function toEntry(serverId: string, { name: toolName, annotations, pending }: LockedTool): ToolToApprove {
  if (pending !== undefined) return { serverId, toolName, annotations: toHints(pending) };
  return {
    serverId,
    toolName,
    ...withoutUndefined({ annotations: isJsonObject(annotations) ? annotations : undefined }),
  };
}

function toHints({ readOnly, destructive, idempotent, openWorld }: Claims): JsonObject {
  return {
    ...{ readOnlyHint: readOnly, destructiveHint: destructive },
    ...{ idempotentHint: idempotent, openWorldHint: openWorld },
  };
}

function describeDenial(tools: readonly ToolToApprove[], isWhole: boolean): Diagnostic {
  return {
    severity: "error",
    code: "POLICY_DENIED",
    message: `The policy denies calls of ${listToolNames(tools)}, so the script did not run.`,
    hint: `Do without them, or have a person allow them in "policy" of the configuration.${isWhole ? " A script that passes a namespace on may call all its tools: import tools by name." : ""}`,
  };
}

/** Why a script did not run that needs approval and has none. */
export function describeUnapprovedScript(
  { tools }: ApprovalRequest,
  verdict: Exclude<ApprovalVerdict, "granted">,
  audience: Audience = "person",
): Diagnostic {
  return describeMissingApproval({ kind: "script", tools: listToolNames(tools) }, verdict, audience);
}

/** `server/tool` of each. */
export function listToolNames(tools: readonly Pick<ToolToApprove, "serverId" | "toolName">[]): string {
  return tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`).join(", ");
}
