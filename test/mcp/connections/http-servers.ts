import { afterEach, expect, vi } from "vitest";
import type { ConnectOptions } from "@codemode/runtime/connections/connect-server";
import { connectWithLogin } from "../../../runtime/mcp/connect-with-login.ts";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { startMisbehavingHttp, type MisbehavingHttp } from "../../servers/misbehaving-http.mjs";

const servers = new Set<MisbehavingHttp>();
const connections = new Set<ServerConnection>();

/** After each test: closes its connections; then no exchange with its servers may be open any more. */
afterEach(async () => {
  await Promise.all([...connections].map((connection) => connection.close()));
  connections.clear();
  const ended = [...servers];
  servers.clear();
  await vi.waitFor(() => {
    for (const { open } of ended) expect(open.size, "exchanges left open").toBe(0);
  });
  await Promise.all(ended.map((server) => server.close()));
});

/** Starts a misbehaving server; it ends after the test. */
export async function serve(...habits: string[]): Promise<MisbehavingHttp> {
  const server = await startMisbehavingHttp(...habits);
  servers.add(server);
  return server;
}

export function httpTarget(server: { url: string }, fields: Partial<HttpTarget> = {}): HttpTarget {
  return { id: "remote", name: "remote", transport: "http", url: server.url, headers: {}, timeoutMs: 5_000, ...fields };
}

/** Connects; the connection is closed after the test. */
export async function connectHttp(target: HttpTarget, options?: ConnectOptions): Promise<ServerConnection> {
  const connection = await connectWithLogin(target, options);
  connections.add(connection);
  return connection;
}
