import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import { isReservedName } from "../../mcp/client/operations/operation-name.ts";

/** What of a tool's definition an agent reads or a call depends on; anything else may change. */
const SCHEMAS = ["annotations", "inputSchema", "outputSchema"];
const TEXTS = ["description", "name", "title"];

/** The integrity of a tool as the lockfile of codemode has it: `sha256-` and base64 over canonical JSON. */
export function toolIntegrity(definition: JsonObject): string {
  const members = [
    ...SCHEMAS.filter((key) => definition[key] !== undefined),
    ...(isReservedName(String(definition["name"])) ? ["templateName", ...TEXTS] : TEXTS).filter(
      (key) => typeof definition[key] === "string",
    ),
  ].map((key) => [key, definition[key] as JsonValue] as const);
  const json = canonicalJson(Object.fromEntries(members));
  return `sha256-${createHash("sha256").update(json, "utf8").digest("base64")}`;
}
