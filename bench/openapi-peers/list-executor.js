import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect } from "./list-over-mcp.js";

/** The program itself: what the package starts it with does not end it. */
const PROGRAM = fileURLToPath(
  new URL(`node_modules/executor-${process.platform}-${process.arch}/bin/executor`, import.meta.url),
);
/** The search finds every tool whose path has the word. */
const LIST = 'return (await tools.search({ query: "bench", namespace: "bench", limit: 5000 })).items;';
/** What each of some tools says of its result. */
const describe = (paths) => `
  const found = [];
  for (const path of ${JSON.stringify(paths)}) found.push((await tools.describe.tool({ path })).outputTypeScript ?? "");
  return found;`;
const UNTYPED = /data: (?:unknown|never|null|void|undefined);/;
/** Its answer about one tool of GitHub takes seconds: of many tools, some are asked about. */
const SAMPLE = 20;

/**
 * Adds a document to Executor, in a folder of its own, and lists what it makes of it. Tools are there once a connection is; the item that
 * this one names does not exist, and nothing is called.
 */
export async function listWithExecutor(document) {
  const home = await mkdtemp(join(tmpdir(), "executor-"));
  const env = { PATH: process.env.PATH, HOME: home, DO_NOT_TRACK: "1" };
  const run = async (...words) => (await promisify(execFile)(PROGRAM, words, { env })).stdout;
  const text = await readFile(document);
  const server = createServer((_, response) => response.end(text));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const spec = { kind: "url", url: `http://127.0.0.1:${server.address().port}/document.json` };
    const input = { spec, slug: "bench", baseUrl: "https://api.example", authenticationTemplate: [] };
    const asked = await run("call", "executor", "openapi", "addSpec", JSON.stringify(input));
    const id = /executionId: (\S+)/.exec(asked)?.[1];
    const added = JSON.parse(await run("resume", "--execution-id", id, "--action", "accept", "--content", "{}"));
    if (!added.ok) throw new Error(added.error.message);
    const connection = { owner: "user", name: "main", integration: "bench", template: "none" };
    const from = { provider: "file", id: "none" };
    await run("call", "executor", "coreTools", "connections", "create", JSON.stringify({ ...connection, from }));
    await run("daemon", "stop");
    return await listOverItsServer(env);
  } finally {
    server.closeAllConnections();
    server.close();
    await run("daemon", "stop").catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  }
}

async function listOverItsServer(env) {
  const client = await connect(PROGRAM, ["mcp"], env);
  const execute = async (code) =>
    (await client.callTool({ name: "execute", arguments: { code } })).structuredContent.result;
  try {
    const listed = (await client.listTools()).tools;
    const items = await execute(LIST);
    const step = Math.max(1, items.length / SAMPLE);
    const sample = Array.from(
      { length: Math.min(SAMPLE, items.length) },
      (_, index) => items[Math.floor(index * step)],
    );
    const typed = new Map();
    for (const { path } of sample) typed.set(path, !UNTYPED.test((await execute(describe([path])))[0]));
    const tools = items.map(({ name, path }) => ({ name, isTyped: typed.get(path) }));
    return { tools, listed };
  } finally {
    await client.close();
  }
}
