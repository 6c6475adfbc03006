import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { CodemodeError } from "../../schemas/codemode-error.ts";

/** Does the work of a request. Messages of unexpected errors may name paths of this machine, so the client learns only that it failed. */
export async function hideInternals<Answer>(
  work: () => Promise<Answer>,
  onFailure: (error: unknown) => void,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    onFailure(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeFailure(error));
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof CodemodeError)) return "codemode failed. Its standard error says why.";
  // With its key, a run that has begun is found again.
  const remedy = error.code === "STORE_UNREACHABLE" ? "Send the same call again. " : "";
  return `codemode failed (${error.code}). ${remedy}Its standard error says why.`;
}
