import type { ToolToApprove } from "./approval.ts";
import type { JsonObject } from "../json/json.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/**
 * Names come from servers: in quotes and on one line they cannot imitate other text. Clients may show Markdown or HTML, and
 * wrap lines: so nothing else than letters, digits and plain signs is shown as it is, and no two blanks.
 */
export function describeToolToApprove({ serverId, toolName, annotations = {} }: ToolToApprove): string {
  return `- ${toSourceLiteral(`${serverId}/${toolName}`).replace(MISLEADING, toEscapes)}: ${claimsOf(annotations)}`;
}

/** What the annotations of a tool claim, in words. */
export function claimsOf(annotations: JsonObject): string {
  const claims = CLAIMS.filter(([hint]) => annotations[hint] === true).map(([, claim]) => claim);
  return claims.length === 0 ? "says nothing of its effects" : `says that it ${claims.join(", ")}`;
}

const MISLEADING = /[^\p{L}\p{N} _\-./:,\\"]|(?<= ) /gu;

function toEscapes(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const CLAIMS = [
  ["readOnlyHint", "only reads"],
  ["destructiveHint", "may destroy"],
  ["idempotentHint", "can be repeated"],
  ["openWorldHint", "reaches the outside world"],
] as const;
