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
    const code = error instanceof CodemodeError ? ` (${error.code})` : "";
    throw new ProtocolError(ProtocolErrorCode.InternalError, `codemode failed${code}. Its standard error says why.`);
  }
}
