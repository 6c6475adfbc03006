import type { Diagnostic } from "../../schemas/run/answer.ts";

/** Lets nothing run that is not written down. */
export interface AuditGate {
  /** Works with a signal that is aborted when a line cannot be written. Undefined where that has happened, before or meanwhile. */
  whileWritten<Answer>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined>;
  /** Says so in the answer. */
  readonly refusal: Diagnostic;
}

/** Does the work of a request, which the gate may end; `refuse` makes the answer then. */
export async function passGate<Request extends { signal?: AbortSignal | undefined }, Answer>(
  gate: AuditGate | undefined,
  request: Request,
  work: (request: Request) => Promise<Answer>,
  refuse: (refusal: Diagnostic) => Answer,
): Promise<Answer> {
  if (gate === undefined) return work(request);
  const answer = await gate.whileWritten(request.signal, (signal) => work({ ...request, signal }));
  return answer ?? refuse(gate.refusal);
}
