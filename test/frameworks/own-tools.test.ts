import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findNode } from "../node-versions/find-node.ts";
import { runProgram } from "../publishing/programs.ts";

const run = promisify(execFile);
const FRAMEWORKS = ["ai-sdk", "mastra", "tanstack", "langchain", "openai-agents", "mcp-sdk-1", "mcp-sdk-2"];
const NO_NETWORK = pathToFileURL(resolve("test/frameworks/refuse-network.mjs")).href;
/** What the stand-in for a model writes. */
const CANCEL = "cancelled b";

let root = "";
/** The examples, and the programs of these tests, with the packages that they import. */
let folder = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "codemode-own-tools-"));
  folder = join(root, "with-frameworks/own-tools");
  await cp("examples/own-tools", folder, { recursive: true });
  await cp("examples/frameworks/stand-in", join(root, "with-frameworks/frameworks/stand-in"), { recursive: true });
  await cp("test/frameworks/own-tools", folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await symlink(resolve("test/frameworks/node_modules"), join(root, "with-frameworks/node_modules"));
  await mkdir(join(root, "node_modules/@types"), { recursive: true });
  await symlink(resolve("."), join(root, "node_modules/codemode"));
  await symlink(resolve("node_modules/@types/node"), join(root, "node_modules/@types/node"));
});
afterAll(() => rm(root, { recursive: true }));

// Some frameworks need Node 22.
const runWithNode = (...args: string[]): Promise<string> => runWith("24", ...args);

async function runWith(node: "20" | "24", ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(findNode(node), ["--import", NO_NETWORK, ...args], { cwd: folder });
  expect(stderr).toBe("");
  return stdout;
}

/** The oldest and the newest version of each framework in the table of docs/own-tools.md, and the versions of Node that they run on. */
const VERSIONS: [specifier: string, ...nodes: ("20" | "24")[]][] = [
  ["ai-5", "20", "24"],
  ["ai-6", "20", "24"],
  ["ai", "24"],
  ["mastra-core-0/tools", "20", "24"],
  ["mastra-core-1.0/tools", "24"],
  ["@mastra/core/tools", "24"],
  ["langchain-core-0.3/tools", "20", "24"],
  ["@langchain/core/tools", "20", "24"],
  ["openai-agents-0.2", "20", "24"],
  ["@openai/agents", "20", "24"],
  ["tanstack-ai-0.2", "20", "24"],
  ["@tanstack/ai", "20", "24"],
];

test.each(VERSIONS.flatMap(([specifier, ...nodes]) => nodes.map((node) => [specifier, node] as const)))(
  "tools of %s on Node %s get arguments with their defaults, the user and a signal; a person sees the same, and exceptions are errors",
  async (specifier, node) => {
    const input = { id: "a", size: 3 };
    expect(JSON.parse(await runWith(node, "call-versions.mjs", specifier))).toEqual({
      result: [{ input, user: "ada", hasSignal: true }, { made: input }, "no such table"],
      asked: [[input, "ada"]],
      diagnostics: [],
    });
  },
);

const AGENTS = ["ai-sdk", "mastra", "langchain", "openai-agents"];

test.each(AGENTS)("a picture reaches the model of an agent of %s as a picture", async (framework) => {
  const seen = await runWithNode("show-picture.mjs", framework);
  expect(seen).toContain("WHOLE PICTURE");
  expect(seen).toMatch(/"type":"(?:file|image|input_image)"/);
  expect(seen).toContain(String.raw`\"type\":\"image\",\"mimeType\":\"image/png\",\"content\":1`);
});

test.each(AGENTS)("what %s gives a request reaches `approve` and its own tools in its way", async (framework) => {
  expect(JSON.parse(await runWithNode("pass-context.mjs", framework))).toEqual([
    ["approve", "ada"],
    ["tool", "ada"],
  ]);
});

test.each(FRAMEWORKS)(
  "tools of %s are called by scripts, with everything that the framework leaves out there",
  async (framework) => {
    const by = { by: "ada", made: "tea" };
    expect(JSON.parse(await runWithNode("run-tools.mjs", framework))).toEqual({
      description: true,
      result: { id: "u1", user: "ada", name: "Ada" },
      events: ["started", "ended"],
      refused: { name: "ApprovalRefusedError", message: "A person has refused this call of todos/createTodo." },
      given: by,
      asked: [
        [{ title: "tea" }, "ada"],
        [{ title: "tea" }, "ada"],
      ],
      ownContext: 20,
      thrown: { name: "ToolCallError", message: "no such table" },
      big: { code: "SANDBOX_LIMIT", message: expect.stringContaining("maxMemoryBytes") as string },
      ...{ cancelled: "RUN_CANCELLED", cancelledInTime: true, endless: "SANDBOX_LIMIT", hostIsFree: true },
    });
  },
);

test.each([...FRAMEWORKS, "langgraph"])("an agent of %s takes the tool as it is", async (framework) => {
  expect(await runWithNode("use-tool.mjs", framework)).toContain(CANCEL);
});

test("the examples, and what the pages say of each framework, are free of type errors, and each example has a test", async () => {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  expect(await runProgram(compiler, ["-p", folder, "--pretty", "false"])).toEqual({ ok: true, output: "" });
  const files = (await readdir("examples/own-tools")).filter((file) => /^(?!tsconfig).*\.\w+$/.test(file));
  expect(files.toSorted()).toEqual(["ai-sdk.ts", "express-approval.ts", "mcp-http.ts", "mcp-server.ts", "nitro.ts"]);
});

test("ai-sdk.ts asks a person about the call, and then makes it", async () => {
  const printed = await runWithNode("ai-sdk.ts");
  expect(printed).toContain("May this order be cancelled? { id: 'b' }");
  expect(printed).toContain(CANCEL);
});

async function callCode(client: Client, code: string): Promise<unknown> {
  const { content } = await client.callTool({ name: "code", arguments: { code } });
  const [first] = content;
  return first?.type === "text" ? (JSON.parse(first.text) as { result?: unknown }).result : first;
}

test("mcp-server.ts offers one tool in the place of its own", async () => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: findNode("24"), args: ["mcp-server.ts"], cwd: folder }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["code"]);
  const script = `import { find_price } from "@codemode/servers/shop"; export default (await find_price({ article: "lamp" })).price;`;
  expect(await callCode(client, script)).toBe(4);
});

/** Starts an example that listens, and gives its address. */
async function serve(file: string, ...before: string[]): Promise<string> {
  const child: ChildProcess = spawn(findNode("24"), [...before, file], {
    ...{ cwd: folder, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] },
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line")) as [string];
  return `http://127.0.0.1:${/^port (\d+)$/.exec(line)?.[1] ?? line}`;
}

test("mcp-http.ts tells the handlers of a server who asks, for sessions at the same time", async () => {
  const address = await serve("mcp-http.ts");
  const script = `import { who_am_i } from "@codemode/servers/shop"; export default await who_am_i();`;
  const answers = ["ada", "bob"].map(async (name) => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const headers = { authorization: `Bearer ${name}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }));
    const results = await Promise.all([callCode(client, script), callCode(client, script)]);
    await client.close();
    return results;
  });
  expect(await Promise.all(answers)).toEqual([
    ["user of ada", "user of ada"],
    ["user of bob", "user of bob"],
  ]);
});

test("express-approval.ts asks the user of the request on a page of the program, and no other one", async () => {
  const address = await serve("express-approval.ts");
  const as = (user: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(address + path, { ...init, headers: { "x-user": user, "content-type": "text/plain" } });
  const script = `import { create } from "@codemode/servers/todos";
    export default await create({ title: "tea" }).catch(({ name }) => name);`;
  const decide = async (answer: string): Promise<unknown> => {
    const running = as("ada", "/run", { method: "POST", body: script });
    let own: { id: string; input: unknown }[] = [];
    while (own.length === 0) own = (await (await as("ada", "/questions")).json()) as typeof own;
    expect(own.map(({ input }) => input)).toEqual([{ title: "tea" }]);
    expect(await (await as("bob", "/questions")).json()).toEqual([]);
    const path = `/questions/${own[0]?.id}/${answer}`;
    expect((await as("bob", path, { method: "POST" })).status).toBe(404);
    expect((await as("ada", path, { method: "POST" })).status).toBe(200);
    return (await running).json();
  };
  expect(await decide("allow")).toEqual({ result: "ada: tea", errors: [] });
  expect(await decide("refuse")).toEqual({ result: "ApprovalRefusedError", errors: [] });
});

test("nitro.ts gives a guest fewer tools", async () => {
  const program = `
import { H3, serve } from "h3";
import handler from "./nitro.ts";
const app = new H3();
app.use((event) => { event.context.user = event.req.headers.get("x-user") ?? undefined; });
app.post("/api/run", handler);
const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log("port", new URL(server.url).port);
process.once("SIGTERM", () => process.exit(0));
`;
  await writeFile(join(folder, "serve-nitro.mjs"), program);
  const address = await serve("serve-nitro.mjs");
  const add = `import { add, list } from "@codemode/servers/notes"; await add({ text: "read" }); export default await list();`;
  const post = async (
    headers: Record<string, string>,
  ): Promise<{ result?: unknown; diagnostics: { code: string }[] }> => {
    const body = JSON.stringify({ code: add });
    const response = await fetch(`${address}/api/run`, { method: "POST", body, headers });
    return (await response.json()) as Awaited<ReturnType<typeof post>>;
  };
  expect((await post({ "x-user": "ada" })).result).toEqual(["water the plants", "read (ada)"]);
  expect((await post({})).diagnostics.map(({ code }) => code)).toEqual(["IMPORT_FAILURE"]);
});
