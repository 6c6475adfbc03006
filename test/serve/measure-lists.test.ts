import { expect, test } from "vitest";
import { toConfig } from "../../schemas/config/to-config.ts";
import type { ServeEntry } from "../../schemas/config/config-file.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { measureLists } from "../../serve/measure-lists.ts";

const inputSchema = { type: "object", properties: { path: { type: "string", description: "Where to look" } } };
const toolsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `tool_${at}`, description: `Does the thing ${at}.`, inputSchema }));

async function measure(count: number, serve: ServeEntry = {}) {
  const config = toConfig({ mcpServers: { one: { command: "x" } }, serve }, "config.json", "/project");
  const [server] = config.servers;
  if (server === undefined) throw new Error("no server");
  const known = {
    era: "legacy",
    protocolVersion: "2025-11-25",
    serverInfo: {},
    capabilities: {},
    clientCapabilities: {},
  };
  const locked = lockServer(server, { ...known, tools: toolsOf(count) } as never);
  return measureLists({ servers: new Map([["one", locked]]) }, config);
}

test("the lists are as servers send them, and as an agent gets them from codemode with these settings", async () => {
  const [few, many] = [await measure(1), await measure(100)];
  expect(many.plain).toBe(estimateTokens(JSON.stringify({ tools: toolsOf(100) })));
  expect(few.codemode).toBeGreaterThan(few.plain);
  expect(many.codemode).toBeLessThan(many.plain / 3);
  const direct = await measure(100, { direct: ["one/*"] });
  expect(direct.plain).toBe(many.plain);
  expect(direct.codemode).toBeGreaterThan(many.plain);
});
