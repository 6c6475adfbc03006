import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Reader } from "../../../schemas/reader.ts";
import type { ApprovalVerdict } from "../../../schemas/run/approval.ts";

/** What did not happen for want of a person's consent. */
export interface MissingConsent {
  kind: "script" | "call";
  /** `server/tool` of each tool that needs it. */
  tools: string;
}

/** Says to the caller why there is no consent, and what can be done about it. */
export function describeMissingConsent(
  { kind, tools }: MissingConsent,
  verdict: Exclude<ApprovalVerdict, "granted">,
  reader: Reader = "person",
): Diagnostic {
  return {
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message:
      verdict === "refused" && reader === "person"
        ? REFUSED[kind](tools)
        : `${NEEDED[kind](tools)}, ${describe(kind, verdict)}.`,
    hint: verdict === "refused" && reader === "agent" ? `${IF_DECLINED} ${WAYS[kind]}` : HINTS[verdict](WAYS[kind]),
  };
}

type Kind = MissingConsent["kind"];

/** At a terminal, where it is certain that a person did. */
const REFUSED: Record<Kind, (tools: string) => string> = {
  script: (tools) => `The user refused to let this script call ${tools}, so it did not run.`,
  call: (tools) => `The user refused the call of ${tools}.`,
};

const NEEDED: Record<Kind, (tools: string) => string> = {
  script: (tools) => `This script needs a person's consent to call ${tools}`,
  call: (tools) => `A call of ${tools} needs a person's consent`,
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
};

/** Outside of the client that is asked now. */
const WAYS: Record<Kind, string> = {
  script:
    'Tell the user which calls the script needs: they can run it with `codemode run --approve`, or allow the tools in "policy".',
  call: 'Tell the user: they can call it with `codemode call --approve`, or allow it in "policy".',
};

const IF_DECLINED = "If a person declined, do without it. If no form was shown:";

/** A client without a person at its screen declines or closes a form by itself: each hint names a way around the form. */
const HINTS: Record<Exclude<ApprovalVerdict, "granted">, (way: string) => string> = {
  refused: (way) => `Do without it, or say what it is for. ${way}`,
  closed: (way) => way,
  unavailable: (way) => way,
  reserved: () =>
    'Do without it, or tell the user: the operator of this server can allow it in "policy", or let a person answer through this client ("mayApprove").',
};
