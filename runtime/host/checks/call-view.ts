import { type JsonValue, type JsonObject, isJsonObject, ownValue } from "../../../schemas/json/json.ts";
import { findMistakenChange } from "./changed-input.ts";
import type { ConnectionSet } from "../../mcp/connection-set.ts";
import { makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import type { CallView } from "../../../schemas/run/describe-call.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";

function objectAt(schema: JsonValue | undefined, key: string): JsonObject {
  const value = schema !== undefined && isJsonObject(schema) ? ownValue(schema, key) : undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** What an approval of a call knows of its tool. */
export function makeCallViews(connections: Pick<ConnectionSet, "credentials">): (tool: LockedTool) => CallView {
  return ({ inputSchema }) => ({
    ...{ inputSchema, parameters: Object.keys(objectAt(inputSchema, "properties")) },
    split: makeValueMask(connections.credentials()).split,
    findMistake: (before, after) => findMistakenChange(inputSchema, before, after),
  });
}
