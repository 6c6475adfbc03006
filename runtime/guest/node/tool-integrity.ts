import { createHash } from "node:crypto";

/** What of a tool's definition an agent reads or a call depends on; anything else may change. */
const SCHEMAS = ["annotations", "inputSchema", "outputSchema"];
const TEXTS = ["description", "name", "title"];

/** The integrity of a tool as the lockfile of codemode has it: `sha256-` and base64 over canonical JSON. */
export function toolIntegrity(definition: { readonly [key: string]: unknown }): string {
  const members = [
    ...SCHEMAS.filter((key) => definition[key] !== undefined),
    ...TEXTS.filter((key) => typeof definition[key] === "string"),
  ].map((key) => [key, definition[key]] as const);
  const json = canonicalJson(Object.fromEntries(members));
  return `sha256-${createHash("sha256").update(json, "utf8").digest("base64")}`;
}

/** Canonical JSON (RFC 8785): keys sorted by UTF-16 code units, no white space. */
function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
