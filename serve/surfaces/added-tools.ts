import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import { toAcceptedInput } from "../../schemas/json-schema/clean-schema.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { claimName } from "../../schemas/text/type-name.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import { serversInOrder } from "../servers-in-order.ts";
import type { ServedView, Surface } from "../surface.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { NamedScript } from "../../schemas/config/named-scripts.ts";
import { type SavedScript, takesObject } from "../../schemas/run/saved-script.ts";
import { type ClientTraits, UNKNOWN_CLIENT } from "../client-traits.ts";
import { outputSchemaFor, toRunResult } from "./run-tool.ts";

/** A tool that is shown as it is, beside the surface. */
interface DirectTool {
  serverId: string;
  toolName: string;
  definition: JsonObject;
}

/**
 * Adds the tools that match `serve.direct` to a surface, as plain MCP tools: for small utilities that need no script.
 * @param takenNames names of other tools, which no direct tool may take
 */
export function withDirectTools(
  surface: Surface,
  view: ServedView,
  patterns: readonly string[],
  takenNames: readonly string[],
): Surface {
  if (patterns.length === 0) return surface;
  const directTools = memoizeByLockfile((lockfile) => findDirectTools(lockfile, patterns, takenNames));
  return {
    runKind: surface.runKind,
    async listTools(client) {
      const own = await surface.listTools(client);
      return [...own, ...[...directTools(view.lockfile()).values()].map(({ definition }) => definition)];
    },
    callTool(name, input, call) {
      const direct = directTools(view.lockfile()).get(name);
      if (direct === undefined) return surface.callTool(name, input, call);
      return view.callTool(direct.serverId, direct.toolName, input ?? {}, call);
    },
  };
}

function findDirectTools(
  lockfile: Lockfile,
  patterns: readonly string[],
  takenNames: readonly string[],
): ReadonlyMap<string, DirectTool> {
  const taken = new Set(takenNames);
  const found = serversInOrder(lockfile).flatMap((server) =>
    server.tools
      .filter(({ name }) => matchesAny(`${server.id}/${name}`, patterns))
      .map((tool) => toDirectTool(server, tool, claimName(toDirectName(server.id, tool), taken))),
  );
  return new Map(found.map((direct) => [String(direct.definition["name"]), direct]));
}

/** `_` is in no server id, so that plain names cannot meet. */
function toDirectName(serverId: string, { name, exportName }: LockedTool): string {
  return toLegalName(`${serverId}_${exportName}`, [serverId, name]);
}

function toDirectTool(server: LockedServer, tool: LockedTool, name: string): DirectTool {
  const { title, description, annotations, inputSchema, outputSchema, outputSchemaFrom } = tool;
  // A schema of the configuration describes what bindings return, not what the server sends.
  const hasOutput = outputSchemaFrom === undefined && isJsonObject(outputSchema) && isObjectSchema(outputSchema);
  return {
    serverId: server.id,
    toolName: tool.name,
    definition: {
      name,
      ...withoutUndefined({ title, description }),
      inputSchema: toListedSchema(toInputObject(inputSchema)),
      ...withoutUndefined({
        outputSchema: hasOutput ? toListedSchema(outputSchema) : undefined,
        annotations: isJsonObject(annotations) ? toListedAnnotations(annotations) : undefined,
      }),
    },
  };
}

/** As bindings accept it, so that no client is asked for what the server fills in. */
function toInputObject(schema: JsonValue | undefined): JsonObject {
  const accepted = schema === undefined ? {} : toAcceptedInput(schema);
  return isJsonObject(accepted) ? accepted : {};
}

function isObjectSchema(schema: JsonObject): boolean {
  return ownValue(schema, "type") === "object";
}

function toListedAnnotations(annotations: JsonObject): JsonObject {
  const listed = Object.entries(annotations).filter(
    ([key, value]) => typeof value === (key === "title" ? "string" : "boolean"),
  );
  return toJsonObject(listed);
}

/** What every client accepts as the name of a tool. */
const LONGEST_NAME = 64;

/**
 * A name of a tool that every client accepts, independent of other tools: a changed name ends in a digest of its origin.
 */
function toLegalName(plain: string, identity: JsonValue): string {
  if (/^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= LONGEST_NAME) return plain;
  const digest = integrityOf(identity)
    .slice("sha256-".length)
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 8);
  return `${plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME - digest.length - 4)}_${digest}`;
}

/**
 * A schema as MCP allows it at the root. Clients drop the whole list of tools where one of them has anything else there,
 * and one server must not take the tools of all others with it.
 */
function toListedSchema(schema: JsonObject): JsonObject {
  const { properties, required, ...rest } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return {
    ...rest,
    type: "object",
    ...withoutUndefined({
      properties: isJsonObject(properties) ? toJsonObject(Object.entries(properties).map(toListedProperty)) : undefined,
      required: names.length > 0 ? names : undefined,
    }),
  };
}

function toListedProperty([name, schema]: [string, JsonValue]): [string, JsonValue] {
  if (isJsonObject(schema)) return [name, schema];
  return [name, schema === false ? { not: {} } : {}];
}

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
 * Adds saved scripts to a surface as tools of their own: the arguments are the script's input, and the answer is a run's.
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
        if (!(await view.hasScript(script))) return undefined;
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
