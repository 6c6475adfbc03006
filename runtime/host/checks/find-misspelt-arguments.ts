import { nearestName } from "@codemode/runtime/nearest-name";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";

/** An argument that the tool does not declare, and the optional one that its name resembles. */
export interface MisspeltArgument {
  written: string;
  meant: string;
}

/** More arguments are not looked at. */
const MOST_ARGUMENTS = 100;

/**
 * Finds arguments of a call that were probably meant to be optional ones of the tool: servers ignore what they do not know. An argument that is
 * there under its own name is not missed.
 */
export function findMisspeltArguments({ inputSchema }: LockedTool, input: JsonValue): MisspeltArgument[] {
  if (!isJsonObject(input) || !isJsonObject(inputSchema) || takesAnyName(inputSchema)) return [];
  const { properties } = inputSchema;
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  const given = Object.keys(input).slice(0, MOST_ARGUMENTS);
  const absent = declared.filter((name) => !given.includes(name));
  return given
    .filter((name) => !declared.includes(name))
    .flatMap((written) => {
      const meant = nearestName(written, absent);
      return meant === undefined ? [] : [{ written, meant }];
    });
}

function takesAnyName({ additionalProperties, patternProperties }: JsonObject): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}
