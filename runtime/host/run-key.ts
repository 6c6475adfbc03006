import { randomUUID } from "node:crypto";

/** The request with its key; one that comes without gets one that no other run has. */
export function withRunKey<Request extends { key?: string | undefined }>(request: Request): Request & { key: string } {
  return { ...request, key: request.key ?? randomUUID() };
}
