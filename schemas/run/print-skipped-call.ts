import { oneLine } from "../json/escape-invisible.ts";
import { toSourceLiteral } from "../text/visible-text.ts";
import type { SkippedCall } from "./tool-call-event.ts";

/** Of the input, in UTF-16 units. */
const MAX_LENGTH = 2000;

/** One line for a call that a dry run did not make. The script decides what is in it: it is of bounded length, and cannot move the cursor. */
export function printSkippedCall({ number, serverId, toolName, input }: SkippedCall): string {
  const json = toSourceLiteral(input);
  const shown = json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}… (${json.length - MAX_LENGTH} more)` : json;
  return `not called (${number}): ${oneLine(`${serverId}/${toolName}`)} ${shown}`;
}
