import type { Approve } from "../../schemas/run/approval.ts";
import type { ConnectionSet } from "../mcp/connection-set.ts";
import { seekApproval } from "./checks/seek-approval.ts";
import { ProjectUntrusted } from "../mcp/trust/assert-trusted.ts";
import { recordTrust } from "../mcp/trust/record-trust.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { describeStart } from "./describe-start.ts";

/**
 * What happens with a server that a user has to act on before it can start: `throw` where the user who can act started the command,
 * `ask` where the caller's `approve` reaches that user, `report` where neither is so.
 */
export type OnUnstartable = "throw" | "ask" | "report";

/** Who asks for a start. */
export interface StartRequest {
  approve?: Approve | undefined;
  /** Whether the caller's own client may answer the question, and which servers are its own. */
  access: Pick<Access, "mayApprove" | "client" | "ownValues">;
  signal?: AbortSignal | undefined;
}

/** Looks at servers before anything of them starts. The diagnostic says why a script that uses them does not run. */
export type AdmitStart = (serverIds: readonly string[], request: StartRequest) => Promise<Diagnostic | undefined>;

/** Makes the check that comes before servers start: approval of the account, and with `throw` variables that are not set. */
export function makeStartGate(
  connections: Pick<ConnectionSet, "findMistake">,
  onUnstartable: OnUnstartable,
): AdmitStart {
  return async (serverIds, { approve, access, signal }) => {
    const mistake = serverIds.map((id) => connections.findMistake(id, access)).find((found) => found !== undefined);
    if (mistake === undefined) return undefined;
    if (onUnstartable === "throw") throw mistake;
    // A variable that is not set is said when the server is called: a script may do without it.
    if (!(mistake instanceof ProjectUntrusted)) return undefined;
    const { folder, starts } = mistake;
    if (onUnstartable === "ask" && approve !== undefined) {
      const digest = integrityOf(starts.map((start) => start.digest));
      const { verdict } = await seekApproval(
        { tools: [], starts: starts.map(describeStart), digest },
        { approve, access },
        signal,
      );
      if (verdict === "granted") {
        await recordTrust(folder, starts);
        return undefined;
      }
    }
    return describeUntrusted(serverIds);
  };
}

/** For an agent, which cannot approve: it gets no program and no path. */
function describeUntrusted(serverIds: readonly string[]): Diagnostic {
  return {
    severity: "error",
    code: "PROJECT_UNTRUSTED",
    message: `The user has not yet trusted this project, so its servers were not started: ${serverIds.join(", ")}.`,
    hint: "Tell the user to run `codemode trust` once in the project folder, then run the script again.",
  };
}
