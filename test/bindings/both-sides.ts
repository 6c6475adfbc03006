import { connect, type HttpServer, type StdioServer } from "@codemode/runtime/connect";
import type { ServerTarget } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { callTool } from "@codemode/runtime/v1";
import { connectWithLogin } from "../../runtime/mcp/connect-with-login.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

export type ServerEntry = StdioServer | HttpServer;

/** Calls a tool of one server, and gives what a binding would return, or the kind of the failure. */
export type Call = (toolName: string, input: JsonObject) => Promise<unknown>;

/** What calls of a server that broke off come to on both sides. */
export const failed = (kind: unknown) => ({ failure: kind });

/** Says what closes something after the test; tests that run at the same time have one each. */
export type WhenDone = (close: () => Promise<void>) => void;

/** The two programs that call servers, each in the settings that it has there; what they open is closed after the test. */
export const SIDES: [side: string, open: (entry: ServerEntry, whenDone: WhenDone) => Promise<Call>][] = [
  ["plain Node", openInNode],
  ["the host", openInHost],
];

let opened = 0;

async function openInNode(entry: ServerEntry, whenDone: WhenDone): Promise<Call> {
  // Bindings find their server by its id among all that this process has.
  const serverId = `odd${(opened += 1)}`;
  const connection = await connect({ servers: { [serverId]: entry }, drift: "ignore" });
  whenDone(() => connection.close());
  return (toolName, input) =>
    callTool({ serverId, toolName, exportName: toolName, validateInput: () => true }, input).catch((error: unknown) =>
      toFailure((error as Error).cause),
    );
}

async function openInHost(entry: ServerEntry, whenDone: WhenDone): Promise<Call> {
  const connecting = connectWithLogin(toTarget(entry));
  whenDone(async () => connecting.then((connection) => connection.close()).catch(() => undefined));
  return async (toolName, input) => {
    try {
      const connection = await connecting;
      return unwrapToolResult(await connection.callTool(toolName, input));
    } catch (error) {
      return toFailure(error);
    }
  };
}

function toFailure(error: unknown): object {
  if (!(error instanceof ConnectionError)) throw error;
  return failed(error.kind);
}

function toTarget(entry: ServerEntry): ServerTarget {
  const { timeoutMs = 60_000 } = entry;
  const place: Partial<ServerTarget> =
    "url" in entry
      ? { transport: "http", headers: {}, url: entry.url }
      : { transport: "stdio", cwd: ".", env: { ...entry.env }, command: entry.command, args: entry.args ?? [] };
  return { id: "odd", name: "odd", timeoutMs, ...place } as ServerTarget;
}
