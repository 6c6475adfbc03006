import type { ToolTraceEntry } from "./answer.ts";
import type { CallSign, RunEvent, SkippedCall } from "./events.ts";
import { oneLine } from "../json/escape-invisible.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/**
 * The start or the end of a tool call, as it happens, and in between what its server reports; without input and output, as in the trace.
 * `number` counts the calls of a run from 1.
 */
export type ToolCallEvent =
  | { kind: "started"; serverId: string; toolName: string; number: number }
  | ({ serverId: string; toolName: string; number: number } & CallSign)
  | { kind: "ended"; entry: ToolTraceEntry; number: number };

/** An event of a run as `onCall` gets it, in an object of its own; undefined for an event that is none of a call. */
export function toToolCallEvent(event: RunEvent): ToolCallEvent | undefined {
  switch (event.type) {
    case "call-started": {
      const { serverId, toolName, number } = event;
      return { kind: "started", serverId, toolName, number };
    }
    case "call-progress": {
      const { serverId, toolName, number, sign } = event;
      return { serverId, toolName, number, ...sign };
    }
    case "call-ended":
      return { kind: "ended", entry: { ...event.entry }, number: event.number };
    default:
      return undefined;
  }
}

/** What a call reports of its progress, in words: `3 of 10, reading pages`. */
export function describeProgress({ progress, total, message }: CallSign & { kind: "progress" }): string {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? amount : `${amount}, ${message}`;
}

/** Of the input, in UTF-16 units. */
const MAX_LENGTH = 2000;

/** One line for a call that a dry run did not make. The script decides what is in it: it is of bounded length, and cannot move the cursor. */
export function printSkippedCall({ number, serverId, toolName, input, asks }: SkippedCall): string {
  const json = toSourceLiteral(input);
  const shown = json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}… (${json.length - MAX_LENGTH} more)` : json;
  return `not called (${number}${asks ? ", asks first" : ""}): ${oneLine(`${serverId}/${toolName}`)} ${shown}`;
}
