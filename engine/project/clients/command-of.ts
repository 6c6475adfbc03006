import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";

/** The command and its arguments, which some write as one list, and one as an object with a path. */
export function commandOf(entry: JsonObject): string[] {
  const command = ownValue(entry, "command");
  const args = listOf(ownValue(entry, "args"));
  if (typeof command === "string") return [command, ...args];
  if (Array.isArray(command)) return listOf(command);
  if (command === undefined || !isJsonObject(command)) return [];
  const path = ownValue(command, "path");
  return typeof path === "string" ? [path, ...listOf(ownValue(command, "args"))] : [];
}

function listOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
