import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { modernMeta } from "../e2e/serve-clients.ts";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";
import { type HttpServing, serveOverHttp } from "../e2e/serve-over-http.ts";

const KEYS = { STORE_KEY: "s".repeat(32), OPERATOR: "operator-token" };

/** A request of the revision 2026-07-28 as a client sends it; a connection that breaks rejects. */
export async function ask(
  { url }: Pick<HttpServing, "url">,
  method: string,
  given: JsonObject,
  extensions: JsonObject = {},
): Promise<JsonObject> {
  const params = { _meta: modernMeta({ elicitation: { form: {} }, extensions }), ...given };
  const name = String(given["name"] ?? given["taskId"]);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  const line = text.startsWith("{") ? text : (text.split("\n").findLast((part) => part.startsWith("data: {")) ?? "");
  const { result, error } = JSON.parse(line.replace(/^data: /, "")) as { result?: JsonObject; error?: JsonObject };
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** `tools/call` of the run tool. */
export const call = (
  serving: Pick<HttpServing, "url">,
  input: JsonObject,
  more: JsonObject = {},
): Promise<JsonObject> => ask(serving, "tools/call", { name: "codemode.run", arguments: input, ...more });

export const answerOf = async (calling: Promise<JsonObject>): Promise<JsonObject> =>
  (await calling)["structuredContent"] as JsonObject;
export const codesOf = ({ diagnostics }: JsonObject): unknown[] =>
  (diagnostics as JsonObject[]).map(({ code }) => code);

/** A script that calls `meta`, or `reads`, whose server says that it only reads. */
export const running = (waitMs: number, server: "meta" | "reads" = "meta"): JsonObject => ({
  code: `import { meta } from "@codemode/servers/${server}"; await meta({ waitMs: ${waitMs} }); export default "done";`,
});

/** Two processes of `codemode serve --http` in one project, which share a store. */
export async function startReplicas(
  store: string,
  serve: JsonObject = {},
  servers: object = {},
): Promise<{ cwd: string; replicas: HttpServing[] }> {
  const meta = { command: process.execPath, args: [resolve("test/servers/meta-server.mjs"), "calls.jsonl"] };
  const reads = { ...meta, args: [...meta.args, "reads"] };
  const shared = { store, storeKey: "${STORE_KEY}" };
  const config = {
    mcpServers: { meta, reads, ...servers },
    audit: { file: "audit.jsonl" },
    serve: { ...shared, detachAfterMs: 300, mayApprove: true, ...serve },
  };
  const policy = { allow: ["*"], ask: serve["asks"] === true ? ["meta/*", "reads/*"] : [] };
  delete (config.serve as JsonObject)["asks"];
  const cwd = await makeProject({ "codemode.config.json": { ...config, policy } });
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCodemode(["generate"], { cwd })).toMatchObject({ code: 0 });
  const replicas = [await serveOverHttp(cwd, KEYS, ["--frozen"]), await serveOverHttp(cwd, KEYS, ["--frozen"])];
  return { cwd, replicas };
}

/** How many calls reached the server `meta`. */
export const callsIn = async (cwd: string): Promise<number> =>
  (await readFile(join(cwd, "calls.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean).length;

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { timeout: 20_000 }).toBe(true);
}
