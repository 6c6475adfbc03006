import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findNode } from "../node-versions/find-node.ts";
import { makeProject, SERVERS } from "./run-codemode.ts";
import { serveOverHttp } from "./serve-over-http.ts";

const INSPECTOR = resolve(
  "test/node-versions/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

const CODE = `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 40, b: 2 });`;

/** Runs the command line of the MCP Inspector, which wants a newer Node, and gives the JSON that it prints. */
async function inspect(target: readonly string[], method: readonly string[], cwd: string) {
  // Its own files belong to the test too.
  const env = { ...process.env, HOME: cwd };
  const words = [INSPECTOR, "--cli", ...target, "--method", ...method];
  const { stdout } = await promisify(execFile)(findNode("22"), words, { cwd, env });
  return JSON.parse(stdout);
}

test.each(["stdio", "http"])("the MCP Inspector lists and calls tools over %s", async (transport) => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: SERVERS.everything } } });
  const target =
    transport === "stdio"
      ? [process.execPath, resolve("dist/cli/main.js"), "serve", "--trust"]
      : [(await serveOverHttp(cwd)).url.href, "--transport", "http"];
  expect(await inspect(target, ["tools/list"], cwd)).toMatchObject({ tools: [{ name: "codemode.run" }] });
  const called = await inspect(
    target,
    ["tools/call", "--tool-name", "codemode.run", "--tool-arg", `code=${CODE}`],
    cwd,
  );
  expect(called.structuredContent).toMatchObject({ result: "The sum of 40 and 2 is 42." });
  expect(await inspect(target, ["resources/list"], cwd)).toMatchObject({
    resources: expect.arrayContaining([expect.objectContaining({ uri: expect.stringContaining("codemode:") })]),
  });
});
