import { join } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import { configBroken } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";

/** What a project's own `package.json` says that holds for every package that is made of it. */
const INHERITED = ["author", "license", "repository", "bugs", "publishConfig"];

/** Reads those members from the `package.json` beside the configuration; without one there are none. */
export async function readInheritedMembers(config: Config): Promise<JsonObject> {
  const text = await readTextIfPresent(join(config.folder, "package.json"));
  if (text === undefined) return {};
  let manifest: JsonValue;
  try {
    manifest = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw configBroken("package.json", (error as Error).message);
  }
  return isJsonObject(manifest) ? pickInherited(manifest) : {};
}

/** The inherited members of a `package.json`, of a project or of a package that was made of it. */
export function pickInherited(manifest: JsonObject): JsonObject {
  const members = INHERITED.map((key) => [key, ownValue(manifest, key)] as const);
  return toJsonObject(members.filter((member): member is readonly [string, JsonValue] => member[1] !== undefined));
}
