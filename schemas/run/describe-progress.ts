import type { CallSign } from "./tool-call-event.ts";

/** What a call reports of its progress, in words: `3 of 10, reading pages`. */
export function describeProgress({ progress, total, message }: CallSign & { kind: "progress" }): string {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? amount : `${amount}, ${message}`;
}
