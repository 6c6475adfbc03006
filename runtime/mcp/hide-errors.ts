import { randomUUID } from "node:crypto";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import type { OnHidden } from "../../schemas/config/program-server.ts";
import { isJsonObject, type JsonObject } from "../../schemas/json/json.ts";

/** The result of a failed call whose words are for the program alone. */
export function toHidden(error: unknown, onHidden: OnHidden): JsonObject {
  const errorId = randomUUID();
  onHidden(error, errorId);
  const text = `The tool failed. Its operator finds the reason under the id ${errorId}.`;
  return { isError: true, content: [{ type: "text", text }] };
}

/** The same connection to an MCP server of the program, whose errors have no words of its own. */
export function withHiddenErrors(connection: ServerConnection, onHidden: OnHidden | undefined): ServerConnection {
  if (onHidden === undefined) return connection;
  const hiding: Pick<ServerConnection, "callTool"> = {
    async callTool(...asked) {
      try {
        const result = await connection.callTool(...asked);
        return result["isError"] === true ? toHidden(new Error(textOf(result)), onHidden) : result;
      } catch (error) {
        if (error instanceof ConnectionError && WITH_WORDS.has(error.kind)) return toHidden(error, onHidden);
        throw error;
      }
    },
  };
  return Object.assign(Object.create(connection) as ServerConnection, hiding);
}

/** Failures whose message is the server's. */
const WITH_WORDS: ReadonlySet<string> = new Set(["rpc-error", "protocol"]);

function textOf({ content }: JsonObject): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}
