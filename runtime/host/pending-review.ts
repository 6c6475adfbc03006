import { listToolNames, toEntry } from "./checks/review-manifest.ts";
import { approvalOf, inRun, seekApproval } from "./checks/seek-approval.ts";
import { NOT_WRITTEN } from "./lock/describe-drift.ts";
import type { LiveLock } from "./lock/live-lock.ts";
import { type Access, accessVerdict } from "../../schemas/access/access.ts";
import type { Policy } from "../../schemas/config/config-file.ts";
import { diffDefinition } from "../../schemas/diff/diff-lockfiles.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { Audience, AudienceHint } from "../../schemas/audience.ts";
import type { Manifest, ManifestTool } from "../../schemas/run/bundle.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";
import type { Run } from "./run.ts";

/** What an approval is also for: definitions that no person has accepted yet (`drift: "review"`). */
export interface PendingReview {
  /** The tools of a question, with how those differ that wait for a person. */
  withChanges(tools: readonly ToolToApprove[]): ToolToApprove[];
  /** The finding that there is no approval, with the other ways to accept what is new or changed. */
  withWayOn(missing: Diagnostic, tools: readonly ToolToApprove[]): Diagnostic;
  /** Asks about a definition that has changed while a script runs; true where a person has accepted it, which locks it. */
  askInRun(serverId: string, toolName: string, run: Pick<Run, "request" | "hold">): Promise<boolean>;
  /** Locks what a person has accepted; gives what went wrong. */
  accept(tools: readonly ToolToApprove[], manifest: Manifest, access: Access): Promise<Diagnostic[]>;
}

/** The person does this, not the agent: no part of it is an approval to calls. */
const WAY_ON: AudienceHint = {
  person: "Review the change with `codemode diff`, and accept it with `codemode lock`.",
  agent: "Tell the user: a person reviews the change with `codemode diff`, and accepts it with `codemode lock`.",
};

export function makePendingReview(
  lock: Pick<LiveLock, "accept" | "current" | "findPending" | "look">,
  policy: Policy,
  audience: Audience,
): PendingReview {
  const withChanges: PendingReview["withChanges"] = (tools) =>
    tools.map((tool) => {
      const pending = lock.findPending(tool.serverId, tool.toolName);
      if (pending === undefined) return tool;
      return { ...tool, change: diffDefinition(tool.serverId, pending.before, pending.after, policy) };
    });
  return {
    withChanges,
    withWayOn(missing, tools) {
      const changed = tools.filter(({ change }) => change !== undefined);
      if (changed.length === 0 || missing.code !== "APPROVAL_REQUIRED") return missing;
      const message = `${missing.message} New or changed since the lockfile was written: ${listToolNames(changed)}.`;
      return { ...missing, message, hint: WAY_ON[audience] };
    },
    async askInRun(serverId, toolName, { request, hold }) {
      const { access, approvalBy, emit } = request;
      await lock.look([serverId], { kind: "tool", manifest: { tools: [] } }, access);
      const offered = findOperation(lock.current().servers.get(serverId), toolName);
      if (offered?.pending === undefined || accessVerdict(access, serverId, offered) === "deny") return false;
      const { integrity } = offered;
      const asked = {
        tools: withChanges([toEntry(serverId, offered)]),
        digest: integrityOf([serverId, toolName, integrity]),
      };
      const resume = hold();
      const approvers = { approve: inRun(request.approve), access };
      const { verdict, by } = await seekApproval(asked, approvers, request.signal).finally(resume);
      emit?.({
        type: "reviewed",
        verdict,
        ...approvalOf(by, approvalBy),
        tools: () => [{ serverId, toolName, integrity, verdict: "ask" }],
      });
      if (verdict !== "granted") return false;
      await lock.accept([{ serverId, toolName, integrity }], access).catch(() => undefined); // allowed for this run all the same
      return true;
    },
    async accept(tools, manifest, access) {
      const isAccepted = ({ serverId, toolName }: ManifestTool): boolean =>
        tools.some((tool) => tool.change !== undefined && tool.serverId === serverId && tool.toolName === toolName);
      const accepted = manifest.tools.filter(isAccepted);
      if (accepted.length === 0) return [];
      try {
        await lock.accept(accepted, access);
        return [];
      } catch {
        const message = `A person has accepted ${listToolNames(accepted)} for this run alone.`;
        return [{ severity: "warning", code: "LOCK_DRIFT", message, hint: NOT_WRITTEN[audience] }];
      }
    },
  };
}
