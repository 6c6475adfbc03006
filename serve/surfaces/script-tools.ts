import { isJsonObject, type JsonObject } from "../../schemas/json/json.ts";
import type { NamedScript } from "../../schemas/config/named-scripts.ts";
import { claimName } from "../../schemas/text/type-name.ts";
import { type SavedScript, takesObject } from "../../schemas/run/saved-script.ts";
import { type ClientTraits, UNKNOWN_CLIENT } from "../client-traits.ts";
import type { ServedView, Surface } from "../surface.ts";
import { toLegalName } from "./legal-name.ts";
import { toListedSchema } from "./listed-schema.ts";
import { outputSchemaFor, toRunResult } from "./run-tool.ts";

/**
 * Names the tools that scripts are: `script_` and their names. These depend on the configuration alone, so that no server can
 * take or change one.
 * @param taken names of other tools, to which these are added
 */
export function nameScriptTools(scripts: Iterable<NamedScript>, taken: Set<string>): ReadonlyMap<string, string> {
  const tools = [...scripts].filter(({ isTool }) => isTool);
  return new Map(tools.map(({ name }) => [claimName(toLegalName(`script_${name}`, name), taken), name]));
}

/**
 * Adds saved scripts to a surface as tools of their own: the arguments are the script's input, and the answer is that of a run.
 * @param names of scripts, by the names of their tools
 */
export function withScriptTools(surface: Surface, view: ServedView, names: ReadonlyMap<string, string>): Surface {
  if (names.size === 0) return surface;
  return {
    runKind: (name) => (names.has(name) ? "script" : surface.runKind(name)),
    async listTools(client = UNKNOWN_CLIENT) {
      const [own, saved] = await Promise.all([surface.listTools(client), view.savedScripts()]);
      const byName = new Map(saved.filter(takesObject).map((script) => [script.name, script]));
      const tools = [...names].flatMap(([toolName, name]) => {
        const script = byName.get(name);
        return script === undefined ? [] : [toDefinition(toolName, script, client)];
      });
      return [...own, ...tools];
    },
    callTool(toolName, input, call) {
      const script = names.get(toolName);
      if (script === undefined) return surface.callTool(toolName, input, call);
      const run = async () => {
        if (!(await view.knowsScript(script))) return undefined;
        const request = { script, input: input ?? {}, limits: {}, requestedCapabilities: [] };
        return toRunResult(await view.run(request, call));
      };
      return run();
    },
  };
}

function toDefinition(toolName: string, { name, description, input }: SavedScript, client: ClientTraits): JsonObject {
  return {
    name: toolName,
    description: description ?? `Runs the saved script "${name}".`,
    inputSchema: toListedSchema(isJsonObject(input) ? input : {}),
    ...outputSchemaFor(client),
  };
}
