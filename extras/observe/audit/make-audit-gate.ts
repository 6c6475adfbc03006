import { toRefusal } from "../../../runtime/host/checks/refuse.ts";
import { type Diagnostic, failedAnswer } from "../../../schemas/run/answer.ts";
import type { RunLayer } from "../../../engine/run/host.ts";
import type { AuditLog } from "./audit-log.ts";

/**
 * Lets nothing run that is not written down: a run whose start could not be is refused, and one is ended before its next call when a line of it
 * could not be.
 */
export function makeAuditGate(log: AuditLog): RunLayer {
  /** Runs with a signal that is aborted when a line cannot be written. Undefined where that has happened. */
  const whileWritten = async <Answer>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    if (log.isBroken()) return undefined;
    const stop = new AbortController();
    let isUnwritten = false;
    const cancel = (): void => stop.abort(signal?.reason);
    const forget = log.onBroken(() => {
      isUnwritten = true;
      stop.abort();
    });
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      const answer = await work(stop.signal);
      return isUnwritten ? undefined : answer;
    } finally {
      forget();
      signal?.removeEventListener("abort", cancel);
    }
  };
  return {
    run: (run) => async (request) =>
      (await whileWritten(request.signal, (signal) => run({ ...request, signal }))) ?? failedAnswer([UNWRITTEN]),
    callTool: (call) => async (request) =>
      (await whileWritten(request.signal, (signal) => call({ ...request, signal }))) ?? {
        ok: false,
        error: toRefusal("ToolCallError", UNWRITTEN.message, HINT),
        diagnostics: [UNWRITTEN],
      },
  };
}

const HINT = "Tell the operator of codemode, whose log has the reason. Then run the script again.";

const UNWRITTEN: Diagnostic = {
  severity: "error",
  code: "AUDIT_FAILED",
  message: "The audit log cannot be written, and every run must be in it.",
  hint: HINT,
};
