import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import type { ToolErrorClass, ToolReply } from "../../../schemas/lock/tools.ts";
import { didYouMean, refused } from "../checks/refuse.ts";
import {
  type ToolDetail,
  type SignatureOf,
  toServerDescription,
  toServerInfo,
  toToolDefinition,
} from "../../../schemas/lock/tool-details.ts";
import { toolIndexOf } from "./tool-index.ts";

/** Answers the questions of `@codemode/discovery` from the lockfile alone. It never throws. */
export type Discovery = (question: string, details: JsonValue) => ToolReply;

const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 10;

/** Makes the answers of one lockfile. The search index is built when it is first asked for. */
export function makeDiscovery(lockfile: Lockfile, signatureOf: SignatureOf): Discovery {
  const questions: Record<string, (details: JsonObject) => JsonValue> = {
    listServers: () => [...lockfile.servers.values()].map(toServerInfo),
    describeServer: (details) => toServerDescription(findServer(lockfile, details)),
    listTools: (details) => {
      const detail = readDetail(details);
      return findServer(lockfile, details).tools.map((tool) => toToolDefinition(tool, detail, signatureOf));
    },
    getTool: (details) => {
      const server = findServer(lockfile, details);
      return toToolDefinition(findTool(server, readText(details, "toolName")), "full", signatureOf);
    },
    searchTools: (details) => {
      const query = readText(details, "query");
      const serverId = Object.hasOwn(details, "serverId") ? findServer(lockfile, details).id : undefined;
      const detail = readDetail(details);
      const results = toolIndexOf(lockfile)
        .search(query, { serverId, limit: readLimit(details) })
        .map((place) => {
          const server = modulesOfLockfile(lockfile).get(place.serverId) as LockedServer;
          return { serverId: server.id, ...toToolDefinition(findTool(server, place.toolName), detail, signatureOf) };
        });
      return { query, results };
    },
  };
  return (question, details) => {
    const answer = Object.hasOwn(questions, question) ? questions[question] : undefined;
    if (answer === undefined)
      return refused("ToolCallError", `Discovery has no "${question}".`, "Import what the specification names.");
    try {
      return { ok: true, value: answer(isJsonObject(details) ? details : {}) };
    } catch (error) {
      if (error instanceof Refusal) return refused(error.errorClass, error.message, error.hint);
      throw error;
    }
  };
}

/** A question that cannot be answered, as an exception until it is a reply. */
class Refusal extends Error {
  readonly errorClass: ToolErrorClass;
  readonly hint: string;

  constructor(errorClass: ToolErrorClass, message: string, hint: string) {
    super(message);
    this.errorClass = errorClass;
    this.hint = hint;
  }
}

function findServer(lockfile: Lockfile, details: JsonObject): LockedServer {
  const serverId = readText(details, "serverId");
  const modules = modulesOfLockfile(lockfile);
  const server = modules.get(serverId);
  if (server !== undefined) return server;
  throw new Refusal(
    "ServerNotFoundError",
    `There is no server "${serverId}".`,
    didYouMean(serverId, modules.keys(), "listServers() names them."),
  );
}

/** A tool by its own name or the name of its export: both are what an agent has read. */
function findTool(server: LockedServer, name: string): LockedServer["tools"][number] {
  const tool =
    server.tools.find((entry) => entry.name === name) ?? server.tools.find(({ exportName }) => exportName === name);
  if (tool !== undefined) return tool;
  const known = server.tools.map((entry) => entry.name);
  const message = `The server "${server.id}" has no tool "${name}".`;
  throw new Refusal("ToolNotFoundError", message, didYouMean(name, known, `listTools("${server.id}") names them.`));
}

function readText(details: JsonObject, key: string): string {
  const value = ownValue(details, key);
  if (typeof value === "string") return value;
  throw new Refusal("ToolCallError", `"${key}" must be a string.`, `Pass a string for ${key}.`);
}

function readDetail(details: JsonObject): ToolDetail {
  const detail = ownValue(details, "detail") ?? "description";
  if (detail === "name" || detail === "description" || detail === "full") return detail;
  throw new Refusal(
    "ToolCallError",
    `"detail" must be "name", "description" or "full".`,
    'Leave it out for "description".',
  );
}

function readLimit(details: JsonObject): number {
  const limit = ownValue(details, "limit") ?? DEFAULT_RESULTS;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 0) return Math.min(limit, MAX_RESULTS);
  throw new Refusal("ToolCallError", '"limit" must be a whole number.', `Leave it out for ${DEFAULT_RESULTS}.`);
}
