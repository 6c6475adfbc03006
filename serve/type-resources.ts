import type { JsonObject } from "../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../schemas/lock/lockfile.ts";
import { findModule } from "../schemas/lock/operations.ts";
import { declarationsOfServer, declarationsOfTool } from "../engine/declarations.ts";
import { modulesInOrder } from "./servers-in-order.ts";

const PREFIX = "codemode://types/";
const MIME_TYPE = "text/typescript";

/** The declarations of each server as MCP resources. */
export function listTypeResources(lockfile: Lockfile): JsonObject[] {
  return modulesInOrder(lockfile).map(({ id, tools }) => ({
    uri: `${PREFIX}${id}`,
    name: `${id}.d.ts`,
    title: `Types of ${id}`,
    description: `TypeScript declarations of @codemode/servers/${id}: ${tools.length} ${tools.length === 1 ? "tool" : "tools"}.`,
    mimeType: MIME_TYPE,
  }));
}

/** The template by which the declarations of single tools are read. */
export function listTypeTemplates(): JsonObject[] {
  return [
    {
      uriTemplate: `${PREFIX}{serverId}/{toolName}`,
      name: "tool.d.ts",
      title: "Types of one tool",
      description: "TypeScript declarations of one tool.",
      mimeType: MIME_TYPE,
    },
  ];
}

/** The declarations that a URI names; undefined where it names none that may be seen. */
export async function readTypeResource(lockfile: Lockfile, uri: string): Promise<JsonObject[] | undefined> {
  const path = parseUri(uri);
  const found = path === undefined ? undefined : findModule(lockfile, path);
  if (found === undefined) return undefined;
  const { module, rest } = found;
  const text = rest === undefined ? await declarationsOfServer(module) : await readTool(module, rest);
  return text === undefined ? undefined : [{ uri, mimeType: MIME_TYPE, text }];
}

function readTool(server: LockedServer, name: string): Promise<string> | undefined {
  const tool =
    server.tools.find((entry) => entry.name === name) ?? server.tools.find(({ exportName }) => exportName === name);
  return tool === undefined ? undefined : declarationsOfTool(server, tool);
}

/** The id of a module, and the name of a tool where there is one; names of tools may hold slashes. */
function parseUri(uri: string): string | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(uri.slice(PREFIX.length));
  } catch {
    return undefined;
  }
}
