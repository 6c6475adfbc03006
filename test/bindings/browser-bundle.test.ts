import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { bundleForBrowser } from "./bundle-for-browser.ts";

/** Words of the code that reaches servers. */
const CONNECTIONS = /ConnectionError|StdioTransport|modelcontextprotocol|child_process|tools\/list/;

interface Manifest {
  [section: string]: Record<string, Record<string, string | undefined>>;
}

const ENTRY = `
  import { search_nodes } from "@codemode/servers/memory";
  import { AuthenticationError, SchemaValidationError } from "@codemode/runtime/errors";
  import { connect } from "@codemode/runtime/connect";

  export async function main(call) {
    const failureOf = (promise) => promise.then(() => "no error", (error) => error);
    const before = await failureOf(search_nodes({ query: "Ada" }));
    const connection = await connect({ call });
    const found = await search_nodes({ query: "Ada" });
    const wrong = await failureOf(search_nodes({ qeury: "Ada" }));
    const refused = await failureOf(search_nodes({ query: "401" }));
    await connection.close();
    return JSON.stringify({
      before: before.message,
      found,
      wrong: [wrong instanceof SchemaValidationError, wrong.hint],
      refused: refused instanceof AuthenticationError,
    });
  }`;

const WANT = {
  before: 'No caller is set for the tools of "memory".',
  found: { called: { serverId: "memory", toolName: "search_nodes", input: { query: "Ada" } } },
  wrong: [true, 'Rename "qeury" to "query".'],
  refused: true,
};

/** What a page would do with an MCP client of its own. */
const CALL = `async (called) => {
  if (called.input.query === "401") throw Object.assign(new Error("no"), { status: 401 });
  return { content: [], structuredContent: { called } };
}`;

test("a bundle without Node calls tools through an injected caller", async () => {
  const { code, modules } = await bundleForBrowser(ENTRY);
  expect(modules.filter((path) => /\/dist\/node\/|node_modules/.test(path))).toEqual([]);
  const bare = createContext({});
  const answer: unknown = await runInContext(`${code}; bundle.main(${CALL})`, bare);
  expect(JSON.parse(answer as string)).toEqual(WANT);
});

test("the minified bundle does the same in a worker", async () => {
  const { minified } = await bundleForBrowser(ENTRY);
  const program = `${minified}; bundle.main(${CALL}).then((answer) => require("node:worker_threads").parentPort.postMessage(answer));`;
  const worker = new Worker(program, { eval: true });
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
  });
  expect(JSON.parse(answer as string)).toEqual(WANT);
});

/** Bytes of a bundle of one binding of many, minified, without its validator. */
async function sizeOfOneBinding(entry: string): Promise<number> {
  const { minified } = await bundleForBrowser(entry, (path) =>
    path.endsWith(".validator.js") ? "export const validateInput = (input) => globalThis.check(input);" : undefined,
  );
  return Buffer.byteLength(minified);
}

test("one binding of many is under 10.4 kB, and what a page needs to connect is under 3.5 kB", async () => {
  const binding = 'export { read_text_file } from "@codemode/servers/filesystem";';
  const alone = await sizeOfOneBinding(binding);
  const connected = await sizeOfOneBinding(`${binding} export * from "@codemode/runtime/connect";`);
  expect(alone).toBeLessThan(10_400);
  expect(connected - alone).toBeGreaterThan(0);
  expect(connected - alone).toBeLessThan(3_500);
});

/** All of the runtime that code outside of Node can import. */
const WHOLE_RUNTIME = ["v1", "connect", "errors", "discovery", "validation", "unwrap", "nearest-name"]
  .map((name, index) => `export * as part${index} from "@codemode/runtime/${name}";`)
  .join("\n");

test("the whole runtime is under 15.5 kB for a page, and holds nothing of the connections", async () => {
  const { modules, minified } = await bundleForBrowser(WHOLE_RUNTIME);
  expect(modules.filter((path) => /\/dist\/node\/|node_modules/.test(path))).toEqual([]);
  expect(minified).not.toMatch(CONNECTIONS);
  expect(Buffer.byteLength(minified)).toBeLessThan(15_500);
});

test("what each sandbox reads of the runtime is under 13.5 kB, and holds nothing of the connections", async () => {
  const { code } = JSON.parse(await readFile("runtime/bindings/dist/runtime/bindings/linked.json", "utf8")) as {
    code: string;
  };
  expect(code).not.toMatch(CONNECTIONS);
  expect(Buffer.byteLength(code)).toBeLessThan(13_500);
});

test.each(["workerd", "browser", "default"])(
  "no import leads to the connections under the condition %s",
  (condition) => {
    const { imports, exports } = JSON.parse(readFileSync("runtime/bindings/package.json", "utf8")) as Manifest;
    const targets = Object.values({ ...imports, ...exports }).map((target) => target[condition]);
    expect(targets.filter((target) => /\/(?:node|mcp)\//.test(target ?? ""))).toEqual([]);
  },
);

test("of a server's tools and of the runtime only what is used gets into a bundle", async () => {
  const { modules, code } = await bundleForBrowser('export { echo } from "@codemode/servers/everything";');
  expect(modules.map((path) => path.replace(/^.*\/(?=generated|dist)/, "")).toSorted()).toEqual([
    "dist/runtime/bindings/caller.js",
    "dist/runtime/bindings/content.js",
    "dist/runtime/bindings/errors.js",
    "dist/runtime/bindings/find-unsendable.js",
    "dist/runtime/bindings/nearest-name.js",
    "dist/runtime/bindings/registered-callers.js",
    "dist/runtime/bindings/reply.js",
    "dist/runtime/bindings/v1.js",
    "dist/runtime/bindings/validation.js",
    "generated/everything/tools/echo.js",
    "generated/everything/tools/echo.validator.js",
  ]);
  expect(code).not.toMatch(/\bprocess\b|\brequire\(|\bimport\(/);
});
