import { StreamableHTTPClientTransport as ModernTransport, Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import type { ServedAnswer } from "../../serve/surface.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { MODERN_VERSION } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareProject } from "./share-project.ts";

/** Of a client that gives up much earlier than the run ends, as many do after 60 s. */
const TIMEOUT_MS = 3000;
const serve = { detachAfterMs: 300 };

const ENDLESS = "await new Promise((resolve) => setTimeout(resolve, 25_000));";

const makeProject = shareProject({ "codemode.config.json": { mcpServers: {}, serve } });

type Call = (args: JsonObject) => Promise<ServedAnswer & { runId: string }>;

/** Calls a tool with the patience of that client. */
function callWith(client: LegacyClient | ModernClient, name = "codemode.run"): Call {
  return async (args) => {
    const params = { name, arguments: args };
    const options = { timeout: TIMEOUT_MS };
    const result = await (client instanceof LegacyClient
      ? client.callTool(params, CallToolResultSchema, options)
      : client.callTool(params, options));
    return result.structuredContent as unknown as ServedAnswer & { runId: string };
  };
}

const codesOf = ({ diagnostics }: ServedAnswer): string[] => diagnostics.map(({ code }) => code);

test("over HTTP a run is its client's: no other can see or end it, it ends with the process, and after kill -9 it is lost", async () => {
  const clients = { ada: { token: "ada-token" }, bob: { token: "bob-token" } };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {}, serve: { ...serve, clients } } });
  const { url, child, ended } = await serveOverHttp(cwd, {}, ["--surface", "files"]);
  const connect = async (token: string, to = url): Promise<Call> => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: MODERN_VERSION } } },
    );
    onTestFinished(() => client.close());
    await client.connect(new ModernTransport(to, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    return callWith(client, "executeToolCode");
  };
  const openSession = async (): Promise<Call> => {
    const client = new LegacyClient({ name: "test", version: "1" });
    onTestFinished(() => client.close());
    const headers = { authorization: "Bearer ada-token" };
    await client.connect(new LegacyTransport(url, { requestInit: { headers } }) as never);
    return callWith(client, "executeToolCode");
  };
  const [ada, bob, session, otherSession] = await Promise.all([
    connect("ada-token"),
    connect("bob-token"),
    openSession(),
    openSession(),
  ]);
  const { runId } = await ada({ code: ENDLESS });
  const ofSession = await session({ code: ENDLESS });
  const lost = await ada({ runId: "AAAAAAAAAAAAAAAAAAAAAA" });
  expect(codesOf(lost)).toEqual(["RUN_LOST"]);
  // The same words for an id that never was, and one of another client.
  expect(await bob({ runId })).toEqual(lost);
  expect(await bob({ runId, cancel: true })).toEqual(lost);
  // A client with a name asks for its run in each of its sessions: it may have been started again since.
  expect(codesOf(await otherSession({ runId: ofSession.runId }))).toEqual(["RUN_CONTINUES"]);
  expect(codesOf(await ada({ runId }))).toEqual(["RUN_CONTINUES"]);
  expect(codesOf(await otherSession({ runId: ofSession.runId, cancel: true }))).toEqual(["RUN_CANCELLED"]);
  expect(codesOf(await session({ runId: ofSession.runId }))).toEqual(["RUN_CANCELLED"]);

  child.kill("SIGKILL");
  await ended;
  const again = await serveOverHttp(cwd, {}, ["--surface", "files"]);
  const next = await connect("ada-token", again.url);
  expect(await next({ runId })).toEqual(lost);

  const last = await next({ code: ENDLESS });
  const waiting = next({ runId: last.runId });
  expect(codesOf(await next({ runId }))).toEqual(["RUN_LOST"]); // By now the request that waits has arrived.
  again.child.kill("SIGINT");
  expect(["RUN_CANCELLED", "RUN_CONTINUES"]).toContain(codesOf(await waiting)[0]);
  expect(await again.ended).toBe(0);
});
