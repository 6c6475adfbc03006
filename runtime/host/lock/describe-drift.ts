import { listSome } from "../../../schemas/list-some.ts";
import { type Access, visibleServer } from "../../../schemas/access/access.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import type { Audience, AudienceHint } from "../../../schemas/audience.ts";
import type { Refusal } from "./drift-verdict.ts";

const ASK_PERSON = "Tell the user: a person has to review the change and accept it.";

export const REVIEW: AudienceHint = {
  person: "Review it with `codemode diff`, and accept it with `codemode lock`.",
  agent: ASK_PERSON,
};

export const LOOSENED: AudienceHint = {
  person: `The policy would allow more than before. ${REVIEW.person}`,
  agent: `The policy would allow more than before. ${REVIEW.agent}`,
};

export const NOT_WRITTEN: AudienceHint = {
  person: "The lockfile could not be written; accept the change with `codemode lock`.",
  agent: `The lockfile could not be written. ${ASK_PERSON}`,
};

/** What `refresh` has accepted by itself. */
export const REFRESHED: AudienceHint = {
  person: "It was accepted without a review (`drift` is `refresh`): read what changed in the lockfile.",
  agent: "It was accepted without a review. Tell the user to read what changed in the lockfile.",
};

export const LOCKED_FIRST: AudienceHint = {
  person: "It is locked now, as it is: read its entry in the lockfile.",
  agent: "It is locked now, as it is. Tell the user to read its entry in the lockfile.",
};

const LOCK_AGAIN: AudienceHint = {
  person: "Run `codemode lock`, or add the server again.",
  agent:
    "Do without it, or tell the user: a person has to add it to the configuration again, or to renew the lockfile.",
};

/** The change as far as the access shows it; undefined where it shows none of it. */
export function toShown(
  change: ServerChange,
  before: LockedServer | undefined,
  after: LockedServer,
  access: Access,
): ServerChange | undefined {
  // The user who runs codemode may know what the policy denies.
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
  const how = change?.kind === "added" ? "was not in the lockfile yet" : "differs from the lockfile";
  return { severity, code: "LOCK_DRIFT", message: `The server "${serverId}" ${how}${what}.`, hint };
}

function describeChange({ toolsAdded, toolsRemoved, toolsChanged }: ServerChange): string {
  const parts = [
    [toolsAdded, "added"],
    [toolsRemoved, "removed"],
    [toolsChanged, "changed"],
  ] as const;
  const tools = parts
    .filter(([names]) => names.length > 0)
    .map(([names, what]) => `${what}: ${listSome(names, MOST_NAMED)}`);
  return tools.length === 0 ? "its own description changed" : `tools ${tools.join("; ")}`;
}

/** A new server may have hundreds of tools. */
const MOST_NAMED = 12;

/** The finding that a server is locked and not configured. */
export function notConfigured(serverId: string, refusal: Refusal, audience: Audience): Diagnostic {
  return {
    severity: refusal.kind === "server" ? "error" : "warning",
    code: "LOCK_DRIFT",
    message: `The server "${serverId}" is in the lockfile but not in the configuration.`,
    hint: LOCK_AGAIN[audience],
  };
}

/** It was configured later, or did not answer when the others were locked. */
export function notLocked(serverId: string, refusal: Refusal, audience: Audience): Diagnostic {
  return {
    severity: refusal.kind === "server" ? "error" : "warning",
    code: "LOCK_DRIFT",
    message: `The server "${serverId}" is in the configuration but not in the lockfile.`,
    hint:
      audience === "person"
        ? `Run \`codemode lock ${serverId}\`, which needs the server to answer.`
        : "Do without it, or tell the user: a person has to lock it, which needs the server to answer.",
  };
}
