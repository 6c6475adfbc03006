import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Audience, AudienceHint } from "../../../schemas/audience.ts";
import type { ApprovalVerdict } from "../../../schemas/run/approval.ts";

/** What did not happen for want of a person's approval. */
export interface BlockedWork {
  /** `each` is a call on `askEach`, which nothing can approve in advance. */
  kind: "script" | "call" | "each";
  /** `server/tool` of each tool that needs it. */
  tools: string;
}

/** Says to the caller why there is no approval, and what can be done about it. */
export function describeMissingApproval(
  { kind, tools }: BlockedWork,
  verdict: Exclude<ApprovalVerdict, "granted">,
  audience: Audience = "person",
): Diagnostic {
  return {
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message:
      verdict === "refused" && audience === "person"
        ? REFUSED[kind](tools)
        : `${NEEDED[kind](tools)}, ${describe(kind, verdict)}.`,
    hint:
      audience === "agent" && isPerhapsTheClients(verdict)
        ? `${verdict === "refused" ? IF_DECLINED : ""}${WAYS[kind].agent}${kind === "call" ? "" : WITHOUT_FORMS}`
        : HINTS[verdict](WAYS[kind][audience]),
  };
}

type Kind = BlockedWork["kind"];

/** At a terminal, where it is certain that a person did. */
const REFUSED: Record<Kind, (tools: string) => string> = {
  script: (tools) => `The user refused to let this script call ${tools}, so it did not run.`,
  call: (tools) => `The user refused the call of ${tools}.`,
  each: (tools) => `The user refused the call of ${tools}.`,
};

const NEEDED: Record<Kind, (tools: string) => string> = {
  script: (tools) => `This script needs a person's approval to call ${tools}`,
  call: (tools) => `A call of ${tools} needs a person's approval`,
  each: (tools) => `Each call of ${tools} needs a person's approval`,
};

function describe(kind: Kind, verdict: Exclude<ApprovalVerdict, "granted">): string {
  return `${WITHOUT[verdict]}${kind === "script" ? ", so it did not run" : ""}`;
}

const WITHOUT = {
  // A client that shows no form may decline as a person does, in the same words.
  refused: "and the question was declined by a person, or closed by the client without an answer",
  closed: "and the question was closed without an answer",
  unavailable: "and no person could be asked",
  reserved: "which this client may not give",
  waiting: "and no person has answered yet",
};

/** Outside of the client that is asked now. An agent with a shell could run a command that it reads: its hints name none. */
const WAYS: Record<Kind, AudienceHint> = {
  script: {
    person: 'Run it with `codemode run --approve`, or allow the tools in "policy".',
    agent:
      'Tell the user which calls the script needs, and what for: a person can approve them, or allow the tools in "policy".',
  },
  call: {
    person: 'Call it with `codemode call --approve`, or allow it in "policy".',
    agent: 'Tell the user what the call is for: a person can approve it, or allow the tool in "policy".',
  },
  each: {
    person: 'Run it where a person can answer, or move the tool from "askEach" to "ask" or "allow" in "policy".',
    agent: 'Tell the user what the call is for: a person can approve it, or allow the tool in "policy".',
  },
};

const IF_DECLINED = "If a person declined, do without it. If no form was shown: ";

/** A client that shows no form answers the question by itself. */
const isPerhapsTheClients = (verdict: string): boolean => verdict === "refused" || verdict === "closed";
const WITHOUT_FORMS =
  ' Where this client shows no forms, "serve": { "mayApprove": false } lets the run wait for a person at the terminal.';

/** A client without a person at its screen declines or closes a form by itself: each hint names a way around the form. */
const HINTS: Record<Exclude<ApprovalVerdict, "granted">, (way: string) => string> = {
  refused: (way) => `Do without it, or say what it is for. ${way}`,
  closed: (way) => way,
  unavailable: (way) => way,
  waiting: (way) => way,
  reserved: () =>
    'Do without it, or tell the user: the operator of this server can allow it in "policy", or let a person answer through this client ("mayApprove").',
};
