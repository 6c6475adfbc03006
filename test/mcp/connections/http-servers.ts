import { expect, onTestFinished, vi } from "vitest";
import type { ConnectionOptions } from "@codemode/runtime/connections/connect-server";
import { connectWithLogin } from "../../../runtime/mcp/connect-with-login.ts";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { startMisbehavingHttp, type MisbehavingHttp } from "../../servers/misbehaving-http.mjs";

/** Starts a misbehaving server; it ends after the test, when no exchange with it may be open any more. */
export async function serve(...habits: string[]): Promise<MisbehavingHttp> {
  const server = await startMisbehavingHttp(...habits);
  onTestFinished(async () => {
    await vi.waitFor(() => expect(server.open.size, "exchanges left open").toBe(0));
    await server.close();
  });
  return server;
}

export function httpTarget(server: { url: string }, fields: Partial<HttpTarget> = {}): HttpTarget {
  return { id: "remote", name: "remote", transport: "http", url: server.url, headers: {}, timeoutMs: 5_000, ...fields };
}

/** Connects; the connection is closed after the test. */
export async function connectHttp(target: HttpTarget, options?: ConnectionOptions): Promise<ServerConnection> {
  const connection = await connectWithLogin(target, options);
  onTestFinished(() => connection.close());
  return connection;
}
