import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import { toAcceptedInput } from "../../schemas/json-schema/accepted-input.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { claimName } from "../../schemas/text/type-name.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import { serversInOrder } from "../servers-in-order.ts";
import type { ServedView, Surface } from "../surface.ts";
import { toLegalName } from "./legal-name.ts";
import { toListedSchema } from "./listed-schema.ts";

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
