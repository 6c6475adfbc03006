import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type CodeMode, codeMode, defineTool, openProject, type OwnServers, ToolError } from "codemode";
import { openCodeMode, SHARED_PROCESS } from "./open-code-mode.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** Runs an expression over the tools of one server, and gives its result; the first diagnostic where it fails. */
async function evaluate(code: CodeMode, server: string, expression: string, options = {}): Promise<unknown> {
  const script = `import * as ${server} from "@codemode/servers/${server}";\nexport default ${expression};`;
  const { result, diagnostics } = await code.run({ code: script }, options);
  return diagnostics.length === 0 ? result : diagnostics;
}

const CATCH = (call: string): string =>
  `await ${call}.catch(({ name, message, code, data }) => ({ name, message, code, data }))`;

const getUser = defineTool({
  description: "Finds a user",
  inputSchema: z.object({ id: z.string(), full: z.boolean().default(false) }),
  outputSchema: z.object({ id: z.string(), name: z.string() }),
  execute: ({ id, full }) => ({ id, name: full ? "Ada Lovelace" : "Ada" }),
});

let code: CodeMode;
beforeAll(async () => {
  code = await codeMode({ todos: { "get-user": getUser } }, { ...SHARED_PROCESS, typecheck: "error" });
});
afterAll(() => code.close());

test("functions are tools: checked, typed and described", async () => {
  expect(await evaluate(code, "todos", `await todos.get_user({ id: "u1" })`)).toEqual({ id: "u1", name: "Ada" });
  const [wrong] = (await evaluate(code, "todos", `await todos.get_user({ id: JSON.parse("1") })`)) as [
    { message: string },
  ];
  expect(wrong.message).toContain('get_user: "/id" should be string, received 1.');
  expect(code.describeTool().description).toContain(
    "export function get_user(input: { id: string; full?: boolean }): Promise<{ id: string; name: string }>;",
  );
});

test("no file of a program is read or written: it asks for codemode's own compiled code, and does without", async () => {
  const folder = await makeTestFolder();
  const notes = join(await makeTestFolder(), "notes");
  const refusing = pathToFileURL(resolve("test/library/alone/refuse-files.mjs"));
  refusing.searchParams.set("notes", notes);
  const [cache, state] = [join(folder, "cache"), join(folder, "state")];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", refusing.href, resolve("test/library/alone/use-functions.mjs")],
    { cwd: folder, env: { ...process.env, HOME: folder, XDG_CACHE_HOME: cache, XDG_STATE_HOME: state } },
  );
  expect(JSON.parse(stdout)).toEqual({
    ...{ linked: 4, bundled: true, tool: 4, called: { twice: 8 }, declared: true },
    hint: "Did you mean `twice`? Its type is `{ twice: number }`.",
  });
  const asked = (await readFile(notes, "utf8")).trim().split("\n");
  expect(asked.filter((line) => !line.includes(` ${cache}`))).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test("two engines of one process share nothing, with a dozen requests at once", async () => {
  const openFor = (name: string): Promise<CodeMode> =>
    openCodeMode({
      own: {
        whoami: { execute: (_: unknown, { context }: { context: number }) => `${name} ${context}` },
        [`only_${name}`]: { execute: () => name },
        long: { outputSchema: z.array(z.string()), execute: () => Array.from({ length: 20_000 }, () => name) },
      },
    });
  const [left, right] = await Promise.all([openFor("left"), openFor("right")]);
  const answers = Array.from({ length: 12 }, (_, n) =>
    evaluate(n % 2 === 0 ? left : right, "own", "await own.whoami()", { context: n }),
  );
  expect(await Promise.all(answers)).toEqual(answers.map((_, n) => `${n % 2 === 0 ? "left" : "right"} ${n}`));
  const foreign = `import { only_right } from "@codemode/servers/own"; export default await only_right();`;
  expect((await right.run({ code: foreign })).result).toBe("right");
  expect((await left.run({ code: foreign })).diagnostics[0]?.message).toContain('has no tool "only_right"');
  const long = `import { long } from "@codemode/servers/own"; export default await long();`;
  const { diagnostics } = await left.tool.call({ code: long });
  const [kept] = /import previous from "[^"]+";/.exec(diagnostics[0]?.hint ?? "") ?? [];
  const again = { code: `${kept} export default previous.length;` };
  expect((await left.tool.call(again)).result).toBe(20_000);
  expect(await right.tool.call(again)).toMatchObject({ result: null, diagnostics: [{ code: "IMPORT_FAILURE" }] });
});

test("a misspelt name of a field or a tool is said with the right one", async () => {
  expect(await evaluate(code, "todos", `(await todos.get_user({ id: "u1" })).nmae.length`)).toMatchObject([
    {
      code: "TYPE_ERROR",
      message: expect.stringContaining("Property 'nmae' does not exist on type") as string,
      hint: "Did you mean `name`? Its type is `{ id: string; name: string }`.",
    },
  ]);
  const { diagnostics } = await code.run({ code: `import { get_usr } from "@codemode/servers/todos"; get_usr();` });
  expect(diagnostics[0]?.hint).toBe("Did you mean `get_user`?");
});

test("what a function returns is what a script gets, and what it throws has words", async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const values: { [name: string]: unknown } = {
    none: undefined,
    list: [1, "a"],
    text: "a",
    circle,
    big: 1n,
    map: new Map(),
  };
  const tool = (execute: () => unknown) => ({ inputSchema: z.object({}), execute });
  const returning = Object.entries(values).map(([name, value]) => [name, tool(() => value)]);
  const failing = {
    whole: tool(() => {
      throw new ToolError("no room", { code: "FULL", data: { left: 0 } });
    }),
    plain: tool(() => {
      throw new Error("db.internal:5432 is away");
    }),
  };
  const servers = { own: { ...Object.fromEntries(returning), ...failing } } as OwnServers;
  const code = await openCodeMode(servers);
  expect(await evaluate(code, "own", "[await own.none(), await own.list(), await own.text()]")).toEqual([
    null,
    [1, "a"],
    "a",
  ]);
  const messages = `await Promise.all([own.circle, own.big, own.map].map((one) => one().catch(({ message }) => message.split("\\n")[0])))`;
  expect(await evaluate(code, "own", messages)).toEqual([
    "The result cannot be written as JSON: Converting circular structure to JSON.",
    "The result cannot be written as JSON: Do not know how to serialize a BigInt.",
    "The result is a Map, which cannot be written as JSON.",
  ]);
  expect(await evaluate(code, "own", CATCH("own.whole()"))).toEqual({
    ...{ name: "ToolCallError", message: "no room", code: "FULL", data: { left: 0 } },
  });
  expect(await evaluate(code, "own", CATCH("own.plain()"))).toMatchObject({ message: "db.internal:5432 is away" });
  const hidden: unknown[] = [];
  const discreet = await openCodeMode(servers, {
    hideErrors: (error, id) => hidden.push([(error as Error).message, id]),
  });
  const { message } = (await evaluate(discreet, "own", CATCH("own.plain()"))) as { message: string };
  expect(message).toMatch(/^The tool failed\. Its operator finds the reason under the id [\w-]+\.$/);
  expect(hidden).toEqual([["db.internal:5432 is away", /id ([\w-]+)\./.exec(message)?.[1]]]);
});

test("tools of frameworks are taken as they are", async () => {
  const add = { a: 1, b: 2 };
  const input = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] };
  const seen: unknown[] = [];
  const code = await openCodeMode(
    {
      own: {
        // AI SDK: `jsonSchema()` gives an object with `jsonSchema` and `validate`.
        aiSdk: {
          inputSchema: { jsonSchema: input, validate: (value: unknown) => ({ success: true, value }) },
          async *execute(
            { a, b }: typeof add,
            options: { toolCallId: string; messages: []; experimental_context: unknown },
          ) {
            seen.push(options.toolCallId, options.messages, options.experimental_context);
            yield 0;
            yield a + b;
          },
        },
        langChain: {
          schema: z.object({ a: z.number(), b: z.number() }),
          invoke: async ({ a, b }: typeof add) => a + b,
        },
        openAi: {
          ...{ type: "function", name: "add", parameters: input, strict: true },
          async invoke(run: { context: unknown }, text: string) {
            seen.push(run.context);
            const { a, b } = JSON.parse(text) as typeof add;
            return a + b;
          },
        },
        mcp: { inputSchema: input, handler: ({ a, b }: typeof add) => a + b },
        valibot: {
          inputSchema: toStandardJsonSchema(v.object({ a: v.number(), b: v.number() })),
          execute: ({ a, b }: typeof add) => a + b,
        },
      },
    } as OwnServers,
    {},
  );
  const all =
    "await Promise.all(Object.values(own).filter((one) => typeof one === 'function').map((one) => one({ a: 1, b: 2 })))";
  expect(await evaluate(code, "own", all, { context: "me", key: "k" })).toEqual([3, 3, 3, 3, 3]);
  expect(seen).toHaveLength(4);
  expect(seen).toEqual(expect.arrayContaining([expect.stringMatching(/^k:\d$/), [], "me"]));
});

test("what is no tool is refused with the line to type", async () => {
  const refused = async (tool: unknown) =>
    openCodeMode({ own: { tool } } as OwnServers).catch((error: unknown) => error);
  expect(await refused(() => 1)).toMatchObject({
    code: "INVALID_OPTION",
    message: 'tool "own/tool": a function alone says nothing of its input',
    hint: expect.stringContaining("Write `tool: defineTool({") as string,
  });
  expect(await refused({ inputSchema: {} })).toMatchObject({
    message: 'tool "own/tool": it has no function `execute`',
  });
  expect(await refused({ inputSchema: v.object({}), execute: () => 1 })).toMatchObject({
    message: 'tool "own/tool", `inputSchema`: it gives no JSON Schema',
    hint: "Write `toStandardJsonSchema(SCHEMA)` of @valibot/to-json-schema.",
  });
  expect(await refused({ inputSchema: { id: z.string() }, execute: () => 1 })).toMatchObject({
    hint: "Write `z.object({ … })` around it, or give a JSON Schema.",
  });
});

test("an endless loop ends, and the program goes on meanwhile", async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  const { diagnostics } = await code.run({ code: "for (;;);" }, { limits: { timeoutMs: 400 } });
  clearInterval(timer);
  expect(diagnostics[0]?.code).toBe("SANDBOX_LIMIT");
  expect(ticks).toBeGreaterThan(10);
});

test("a cancelled run aborts the signal of the function that works for it", async () => {
  let stop: () => void;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  let begin: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const code = await openCodeMode({
    own: {
      wait: {
        inputSchema: z.object({}),
        execute(_: unknown, { signal }: { signal: AbortSignal }) {
          signal.addEventListener("abort", () => stop());
          begin();
          return new Promise(() => undefined);
        },
      },
    },
  });
  const cancel = new AbortController();
  const running = evaluate(code, "own", "await own.wait()", { signal: cancel.signal });
  await begun;
  cancel.abort();
  await stopped;
  expect(await running).toMatchObject([{ code: "RUN_CANCELLED" }]);
});

for (const [sdk, Server] of [
  ["1", OldMcpServer],
  ["2", McpServer],
] as const) {
  test(`an MCP server of SDK ${sdk} is a server: its tools, its changes, and who calls`, async () => {
    const request = new AsyncLocalStorage<string>();
    const server = new (Server as typeof McpServer)({ name: "shop", version: "1.0.0" });
    const seen: unknown[] = [];
    const sell = async ({ id }: { id: string }, extra: { sessionId?: string } & object) => {
      seen.push(request.getStore(), JSON.stringify(extra).includes("client-7"), extra.sessionId);
      return { content: [{ type: "text" as const, text: `sold ${id}` }] };
    };
    server.registerTool("sell-it", { description: "Sells", inputSchema: z.object({ id: z.string() }) }, sell as never);
    const code = await openCodeMode({ shop: () => server });
    const context = { authInfo: { token: "t", clientId: "client-7", scopes: [] }, sessionId: "s1" };
    const sold = await request.run("ada", () => evaluate(code, "shop", `await shop.sell_it({ id: "x" })`, { context }));
    expect(sold).toBe("sold x");
    expect(seen[0]).toBe("ada");
    server.registerTool("late", { description: "Late" }, async () => ({
      content: [{ type: "text" as const, text: "late" }],
    }));
    await delay(50);
    expect(await evaluate(code, "shop", "await shop.late()")).toBe("late");
  });
}

test("own servers stand beside configured ones, in one script, and are not in the lockfile of the project", async () => {
  const cwd = await makeTestFolder();
  const everything = {
    command: process.execPath,
    args: [join(process.cwd(), "test/servers/stand-in.mjs"), "everything"],
  };
  const both = `import { echo } from "@codemode/servers/everything"; import { getUser } from "@codemode/servers/todos";
    export default [await echo({ message: "hello" }), (await getUser({ id: "1" })).name];`;
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { everything } }));
  const project = await openProject({ cwd, servers: { todos: { getUser } } });
  const engine = await project.openEngine();
  onTestFinished(() => engine.close());
  expect((await engine.run({ code: both })).result).toEqual(["Echo: hello", "Ada"]);
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).not.toContain("todos");
  const code = await openCodeMode({ todos: { getUser }, everything });
  expect((await code.run({ code: both })).result).toEqual(["Echo: hello", "Ada"]);
});

test("a lockfile keeps own servers where one is asked for, and `frozen` refuses a change", async () => {
  const folder = await makeTestFolder();
  const lock = join(folder, "codemode.lock.json");
  await (await openCodeMode({ todos: { getUser } }, { lock })).close();
  expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({
    servers: { todos: { source: { transport: "program" } } },
  });
  await (await openCodeMode({ todos: { getUser } }, { lock, frozen: true })).close();
  const changed = { ...getUser, description: "Finds a user by id" };
  await expect(codeMode({ todos: { getUser: changed } }, { lock, frozen: true })).rejects.toMatchObject({
    ...{ code: "LOCKFILE_OUTDATED", exitCode: 3 },
  });
});

test("an option that does not exist is refused", async () => {
  await expect(codeMode({}, { polcy: {} } as object)).rejects.toMatchObject({ hint: "Did you mean `policy`?" });
});
