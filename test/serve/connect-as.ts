import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { makeAgentServer } from "../../serve/agent-server.ts";
import { makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import type { Presentation } from "../../serve/present.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

/** A client of a server of this process, connected under a name of its choice, in either era of the protocol. */
export async function connectAs(name: string, presentation: Presentation, era: "legacy" | "modern" = "legacy") {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const calls = makeCallsInFlight();
  const server = () =>
    makeAgentServer({
      instructions: "",
      presentation,
      calls,
      runs: makeLongRuns({ detachAfterMs: 0, calls, client: undefined, mayApprove: true }),
    });
  const handle = serveStdio(server, { transport: serverSide });
  const options = era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
  const client = new Client({ name, version: "1" }, options);
  await client.connect(clientSide);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
  });
  return {
    listNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    callTool: (tool: string, input: JsonObject) => client.callTool({ name: tool, arguments: input }),
  };
}
