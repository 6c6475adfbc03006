import { randomUUID } from "node:crypto";

/** The same request of a run or a call, with the one id by which its events and own tools name it. */
export function withRunId<Request extends { runId?: (() => string) | undefined }>(
  request: Request,
): Request & { runId: () => string } {
  const id = request.runId?.() ?? randomUUID();
  return { ...request, runId: () => id };
}
