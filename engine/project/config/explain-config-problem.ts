import { readFile } from "node:fs/promises";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { nameConfigKey, type SchemaNode } from "./name-config-key.ts";
import { cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";

/** Checks a configuration against the schema that editors use; says the first problem with the place and what to do. */
export async function explainConfigProblem(config: JsonValue): Promise<{ cause: string; hint: string } | undefined> {
  const schema = await readFile(new URL("../../../schemas/config.schema.json", import.meta.url), "utf8");
  if (await passesBuiltCheck(config, schema)) return undefined;
  const { compileSchema } = await import("../../../runtime/host/checks/compile-schema.ts");
  // A `oneOf` reports each branch and then itself; the last error is the one about the whole.
  const issue = compileSchema(cleanSchema(JSON.parse(schema) as JsonValue, "output"))(config).at(-1);
  if (issue === undefined) return undefined;
  const place = issue.instancePath === "" ? "the configuration" : `"${issue.instancePath}"`;
  const see = (child = ""): string => {
    const key = nameConfigKey(
      `${issue.instancePath}${child === "" ? "" : `/${child}`}`,
      JSON.parse(schema) as SchemaNode,
    );
    return `See docs/configuration.md${key === undefined ? "" : `#${key}`}.`;
  };
  switch (issue.keyword) {
    case "additionalProperties": {
      const name = String(issue.params["additionalProperty"]);
      const known = nearestName(name, Object.keys((issue.parentSchema?.["properties"] as object | undefined) ?? {}));
      return {
        cause: `unknown key "${name}" in ${place}`,
        hint: known === undefined ? `Remove it. ${see()}` : `Did you mean "${known}"? ${see(known)}`,
      };
    }
    case "required":
      return {
        cause: `${place} lacks "${String(issue.params["missingProperty"])}"`,
        hint: `Add "${String(issue.params["missingProperty"])}". ${see(String(issue.params["missingProperty"]))}`,
      };
    case "oneOf":
      return {
        cause: `${place} is neither a stdio server nor a remote one`,
        hint: `Give it either a "command" (type stdio) or a "url" (type http or sse). ${see()}`,
      };
    default:
      return { cause: `${place} ${issue.message ?? "is not valid"}`, hint: see() };
  }
}

/** What `scripts/build-config-check.js` makes of the schema. */
interface BuiltCheck {
  validateInput(config: unknown): boolean;
  /** The text of the schema that it was made from. */
  schema: string;
}

/** Compiling the schema takes a good part of a short command, and only a configuration with a mistake needs it. */
async function passesBuiltCheck(config: JsonValue, schema: string): Promise<boolean> {
  const file = new URL("../../../schemas/config-check.js", import.meta.url);
  // The sources have none beside them.
  const check = await import(file.href).then((module: BuiltCheck) => module).catch(() => undefined);
  return check?.schema === schema && check.validateInput(config);
}
