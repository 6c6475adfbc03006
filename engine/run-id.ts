import { randomBytes } from "node:crypto";

/** What ids of long and durable runs look like. */
export const RUN_ID = /^[\w-]{22}$/;

/** At least 128 bits as 22 characters. A person types the id after `codemode runs`, where a first dash would begin an option. */
export function toRunId(bytes: Buffer): string {
  return bytes.toString("base64url").slice(0, 22).replace(/^-/, "0");
}

export function makeRunId(): string {
  return toRunId(randomBytes(16));
}
