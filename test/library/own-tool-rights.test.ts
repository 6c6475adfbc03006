import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { type CodeMode, codeMode, type CodeModeOptions, defineTool, type HostEvent } from "codemode";
import { openCodeMode, SHARED_PROCESS } from "./open-code-mode.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** Who asks. */
interface User {
  name: string;
  role: "admin" | "user";
}
const ADA: User = { name: "ada", role: "admin" };
const BOB: User = { name: "bob", role: "user" };

const create = defineTool<User, z.ZodObject<{ title: z.ZodString }>>({
  description: "Creates a todo",
  inputSchema: z.object({ title: z.string() }),
  needsApproval: ({ title }) => title !== "harmless",
  execute: ({ title }, { context }) => ({ title, by: context.name }),
});
const removeAll = defineTool<User>({
  description: "Removes all todos",
  enabled: ({ role }) => role === "admin",
  execute: () => "removed",
});

const demote = { execute: (_: unknown, { context }: { context: User }) => (context.role = "user") };
const look = { needsApproval: () => false, execute: () => 1 };
const SERVERS = { todos: { create, removeAll, demote }, own: { look } };

const open = openCodeMode<User>;
/** One has no approver, unless a run brings one; the policy of the other asks about everything. */
let code: CodeMode<User>;
let strict: CodeMode<User>;
beforeAll(async () => {
  const policy = { askEach: ["todos/*"], ask: ["own/*"] };
  code = await codeMode<User>(SERVERS, SHARED_PROCESS);
  strict = await codeMode<User>(SERVERS, { ...SHARED_PROCESS, policy });
});
afterAll(() => Promise.all([code.close(), strict.close()]));

const CREATE = `import { create } from "@codemode/servers/todos";
const title = globalThis.__codemode_input__ ?? "tea";
export default await create({ title }).catch(({ name, message }) => ({ name, message }));`;
const REMOVE = `import { removeAll } from "@codemode/servers/todos"; export default await removeAll();`;

test("a tool that is not enabled for a context is nowhere for it", async () => {
  expect((await code.run({ code: REMOVE }, { context: ADA })).result).toBe("removed");
  const refused = await code.run({ code: REMOVE }, { context: BOB });
  expect(refused.diagnostics[0]?.message).toContain('has no tool "removeAll"');
  expect((await code.toolFor(ADA)).description).toContain("removeAll");
  expect((await code.toolFor(BOB)).description).not.toContain("removeAll");
  expect(code.tool.description).not.toContain("removeAll");
  const search = `import { searchTools } from "@codemode/discovery"; export default (await searchTools("remove all")).results.length;`;
  const found = await Promise.all([ADA, BOB].map((context) => code.run({ code: search }, { context })));
  expect(found.map(({ result }) => result)).toEqual([1, 0]);
  await expect(code.callTool("todos/removeAll", {}, { context: BOB })).rejects.toMatchObject({ code: /TOOL_/ });
  expect(await code.callTool("todos/removeAll", {}, { context: ADA })).toBe("removed");
  const { diagnostics } = await code.tool.call({ code: REMOVE }, { context: BOB });
  expect(diagnostics[0]?.message).toContain('has no tool "removeAll"');
});

test("a tool that stops being enabled while a run goes on is refused at the call", async () => {
  const user = { ...ADA };
  const script = `import { removeAll, demote } from "@codemode/servers/todos";
    await removeAll(); await demote(); export default await removeAll().catch(({ message }) => message);`;
  expect((await code.run({ code: script }, { context: user })).result).toBe('There is no tool "removeAll".');
});

test("an approval is asked for at the call, with its arguments, context and run; no one to ask is an error that a script can catch", async () => {
  const asked: unknown[] = [];
  const asking = await open(
    { todos: { create } },
    {
      approve: async ({ call, context, run }) => {
        asked.push([call?.input, context?.name, run?.key]);
        return context?.role === "admin";
      },
    },
  );
  expect((await asking.run({ code: CREATE }, { context: ADA, key: "r1" })).result).toEqual({ title: "tea", by: "ada" });
  expect((await asking.run({ code: CREATE }, { context: BOB, key: "r2" })).result).toMatchObject({
    name: "ApprovalRefusedError",
  });
  expect(asked).toEqual([
    [{ title: "tea" }, "ada", "r1"],
    [{ title: "tea" }, "bob", "r2"],
  ]);
  const own = await asking.run(
    { code: CREATE },
    { context: BOB, approve: async () => ({ verdict: "changed", input: { title: "milk" } }) },
  );
  expect(own.result).toEqual({ title: "milk", by: "bob" });
  expect((await asking.run({ code: CREATE }, { context: BOB, input: "harmless" })).result).toEqual({
    title: "harmless",
    by: "bob",
  });
  expect(asked).toHaveLength(2);
  expect((await code.run({ code: CREATE }, { context: ADA })).result).toMatchObject({ name: "ApprovalRefusedError" });
  expect((await strict.run({ code: CREATE }, { context: ADA, input: "harmless" })).result).toMatchObject({
    name: "ApprovalRefusedError",
  });
});

test("the tool is one for every framework: JSON Schema and Standard Schema, and options under their names", async () => {
  const code = await open(
    { todos: { create } },
    { approve: async () => true, description: "{{count}} tools.\n{{types}}\n{{search}}" },
  );
  const { tool } = code;
  expect([tool.name, JSON.parse(JSON.stringify(tool.inputSchema))]).toMatchObject([
    "code",
    { type: "object", required: ["code"] },
  ]);
  expect(Object.keys(tool.inputSchema)).not.toContain("~standard");
  expect((tool.inputSchema as unknown as { "~standard": object })["~standard"]).toMatchObject({
    version: 1,
    vendor: "codemode",
  });
  expect(tool.description).toMatch(/^1 tools\.[^]*export function create[^]*To find a tool, search/);
  const events: string[] = [];
  const called = await tool.call(
    { code: CREATE },
    { context: ADA, key: "k", onCall: ({ kind }) => events.push(kind), limits: { timeoutMs: 5000 } },
  );
  expect(called).toMatchObject({ result: { by: "ada" }, key: "k" });
  expect(events).toEqual(["started", "ended"]);
  expect(
    await tool.execute({ code: CREATE }, { experimental_context: ADA, toolCallId: "1", messages: [] }),
  ).toMatchObject({ result: { by: "ada" } });
  expect(await tool.execute({ code: CREATE }, { abortSignal: AbortSignal.abort() })).toMatchObject({ result: null });
  await expect(tool.call({ code: CREATE }, { sginal: 1 } as object)).rejects.toMatchObject({
    hint: "Did you mean `signal`?",
  });
  expect(Object.keys(code.tools)).toEqual(["code"]);
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`tool_${n}`, { ...create, description: `Makes number ${n} of the things` }]),
  );
  const { search, code: run } = (await open({ todos: many })).tools;
  expect(await search?.execute({ query: "number 7" })).toContain("export function tool_7(");
  expect(run.description).toContain("The tool search finds tools");
});

test("served on a transport, each request has a context that is made of its login", async () => {
  const server = (): McpServer => {
    const shop = new McpServer({ name: "shop", version: "1.0.0" });
    shop.registerTool(
      "who",
      {},
      async (extra: { http?: { authInfo?: { clientId: string } }; authInfo?: { clientId: string } }) => ({
        content: [{ type: "text", text: (extra.http?.authInfo ?? extra.authInfo)?.clientId ?? "none" }],
      }),
    );
    return shop;
  };
  const whoami = { execute: (_: unknown, { context }: { context: User }) => context.name };
  const code = await open({ todos: { removeAll, whoami }, shop: server });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const login = { name: "bob" };
  const send = near.send.bind(near);
  near.send = (message, options) =>
    send(message, { ...options, authInfo: { token: "t", clientId: login.name, scopes: [] } });
  const end = await code.connectTo(far, {
    context: ({ authInfo }: { authInfo?: { clientId: string } }) => (authInfo?.clientId === "ada" ? ADA : BOB),
  });
  onTestFinished(end);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(near);
  const describe = async () => (await client.listTools()).tools[0]?.description;
  const run = async () => {
    const script = `import { whoami } from "@codemode/servers/todos"; import { who } from "@codemode/servers/shop"; export default [await whoami(), await who()];`;
    return (await client.callTool({ name: "code", arguments: { code: script } })).structuredContent;
  };
  expect(await describe()).not.toContain("removeAll");
  expect(await run()).toMatchObject({ result: ["bob", "bob"] });
  login.name = "ada";
  expect(await describe()).toContain("removeAll");
  expect(await run()).toMatchObject({ result: ["ada", "ada"] });
});

test("the heap holds no context of a run that is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const made: WeakRef<User>[] = [];
  const use = async (name: string): Promise<void> => {
    const context: User = { name, role: "admin" };
    made.push(new WeakRef(context));
    await code.run({ code: CREATE }, { context, approve: () => true });
    await code.tool.call({ code: CREATE }, { context });
    await code.toolFor(context);
  };
  for (let n = 0; n < 3; n += 1) await use(`u${n}`);
  const kept = (): unknown[] => {
    collect();
    return made.filter((one) => one.deref() !== undefined);
  };
  await expect.poll(kept, { interval: 20 }).toEqual([]);
});

test("types are printed for a reader, and written for an editor", async () => {
  expect(await code.declarations(ADA)).toContain(`declare module "@codemode/servers/todos"`);
  const folder = join(await makeTestFolder(), "generated");
  const { written } = await code.writeTypes(folder, ADA);
  expect(written).toContain("todos/tools/create.d.ts");
  expect(await readdir(folder)).toEqual(["own", "package.json", "todos"]);
});

test("what a durable run has done is taken back in reverse order, each call once, after what has no way back is named", async () => {
  vi.stubEnv("XDG_STATE_HOME", await makeTestFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const done: string[] = [];
  const put = defineTool<User, z.ZodObject<{ key: z.ZodString }>>({
    inputSchema: z.object({ key: z.string() }),
    execute: ({ key }, { run }) => done.push(`put ${key} ${run.number}`),
    undo: ({ key }, size, { context }) => done.push(`take ${key} ${String(size)} for ${context.name}`),
  });
  const look = { annotations: { readOnlyHint: true }, execute: () => done.length };
  const mail = { execute: () => null };
  const code = await open({ store: { put, look, mail } });
  const script = (calls: string): string => `import * as store from "@codemode/servers/store";\n${calls}`;
  const run = await code.run(
    { code: script(`await store.put({ key: "a" }); await store.look(); await store.put({ key: "b" });`) },
    { context: ADA, durable: true },
  );
  const runId = run.runId ?? "";
  expect(done).toEqual(["put a 1", "put b 3"]);
  expect(await code.undo(runId, { context: ADA })).toEqual(["store/put", "store/put"]);
  expect(done.slice(2)).toEqual(["take b 2 for ada", "take a 1 for ada"]);
  expect(await code.undo(runId, { context: ADA })).toEqual([]);
  const runs = await code.durableRuns();
  expect((await runs.find(runId)).state).toBe("ended");
  const sent = await code.run(
    { code: script(`await store.put({ key: "c" }); await store.mail();`) },
    { context: ADA, durable: true },
  );
  await expect(code.undo(sent.runId ?? "", { context: ADA })).rejects.toMatchObject({
    message: "undo: there is no `undo` of store/mail",
  });
  expect(done.at(-1)).toBe("put c 1");
  expect(await runs.undo(sent.runId ?? "", { context: ADA, partial: true })).toEqual(["store/put"]);
});

test("a function knows its run as the audit log does, and a run that goes on in another process has the context that is given there", async () => {
  vi.stubEnv("XDG_STATE_HOME", await makeTestFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const seen: unknown[] = [];
  let begin: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const openWith = (work: (context: User) => unknown, options: CodeModeOptions<User> = {}): Promise<CodeMode<User>> => {
    const annotations = { idempotentHint: true };
    const tool = defineTool<User>({
      ...{ annotations, needsApproval: true },
      execute(_, { context, run }) {
        seen.push(run);
        return work(context);
      },
    });
    return open({ own: { work: tool } }, { approve: async () => true, ...options });
  };
  const script = { code: `import { work } from "@codemode/servers/own"; export default await work();` };
  const started: string[] = [];
  const observer = (event: HostEvent) => void (event.type === "run-started" && started.push(event.run.runId));
  const plain = await openWith(({ name }) => name, { observers: [observer] });
  expect(await plain.run(script, { context: ADA, key: "k1" })).toMatchObject({ result: "ada" });
  expect(await plain.callTool("own/work", {}, { context: ADA })).toBe("ada");
  expect(seen.splice(0)).toEqual([
    { id: started[0], key: "k1", number: 1 },
    { id: started[1], key: "", number: 1 },
  ]);

  const first = await openWith(({ name }) => name, {
    approve() {
      begin();
      return new Promise(() => undefined);
    },
  });
  const left = first.run(script, { context: ADA, key: "k2", durable: true });
  await begun;
  await first.close();
  const { runId = "", diagnostics } = await left;
  expect(diagnostics[0]?.code).toBe("RUN_CONTINUES");
  const asked: unknown[] = [];
  const second = await openWith(({ name }) => name, {
    async approve({ context, run }) {
      asked.push(context?.name, run?.key);
      return true;
    },
  });
  const runs = await second.durableRuns();
  expect((await runs.resume(runId, { context: BOB })).result).toBe("bob");
  expect(seen).toEqual([{ id: runId, key: "k2", number: 1 }]);
  expect(asked).toEqual(["bob", "k2"]);
});

test("what a process has begun to take back is not taken back again by itself, unless its tool may be repeated", async () => {
  const state = await makeTestFolder();
  vi.stubEnv("XDG_STATE_HOME", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  const program = resolve("test/library/alone/end-while-undoing.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { ...process.env } });
  const [put = "", set = ""] = JSON.parse(stdout) as string[];
  let [calls, made, fails] = [0, 0, true];
  const undo = (): void => {
    calls += 1;
    if (fails) throw new Error("no connection");
  };
  const execute = () => {
    made += 1;
    return null;
  };
  const code = await open({
    store: { put: { execute, undo }, set: { annotations: { idempotentHint: true }, execute, undo } },
  });
  await expect(code.undo(put)).rejects.toMatchObject({
    message: "undo: a process has ended while it took back store/put, and it is not known how far it came",
  });
  expect(await code.undo(put, { partial: true })).toEqual([]);
  expect(calls).toBe(0);
  // What says that it has failed is not in doubt.
  await expect(code.undo(put, { repeat: true })).rejects.toThrow("no connection");
  const again = { code: `import { put } from "@codemode/servers/store"; await put();` };
  expect((await code.run(again, { durable: { from: put } })).diagnostics).toEqual([]);
  expect(made).toBe(0);
  fails = false;
  expect(await code.undo(put)).toEqual(["store/put"]);
  expect(await code.undo(set)).toEqual(["store/set"]);
  expect(await code.undo(put)).toEqual([]);
  expect(calls).toBe(3);
});

test("rules beside an MCP server hold for its tools: guards, approvals and the way back", async () => {
  const id = { inputSchema: z.object({ id: z.string() }) };
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  const chief = { ...ADA };
  const server = (): McpServer => {
    const shop = new McpServer({ name: "shop", version: "1.0.0" });
    shop.registerTool("sell", id, async (input) => text(`sold ${input.id}`));
    shop.registerTool("closeDown", {}, async () => {
      chief.role = "user";
      return text("closed");
    });
    return shop;
  };
  const asked: unknown[] = [];
  const tools = {
    sell: { needsApproval: (input: { id: string }) => input.id !== "sample" },
    closeDown: { enabled: ({ role }: User) => role === "admin" },
  };
  const code = await open(
    { shop: { server, tools } },
    {
      async approve({ call, context }) {
        asked.push([call?.input, context?.name]);
        return false;
      },
    },
  );
  const sell = (what: string) => ({
    code: `import { sell } from "@codemode/servers/shop"; export default await sell({ id: "${what}" }).catch(({ name }) => name);`,
  });
  expect((await code.run(sell("sample"), { context: BOB })).result).toBe("sold sample");
  expect((await code.run(sell("lamp"), { context: BOB })).result).toBe("ApprovalRefusedError");
  expect(asked).toEqual([[{ id: "lamp" }, "bob"]]);
  const close = {
    code: `import { closeDown } from "@codemode/servers/shop";
export default [await closeDown(), await closeDown().catch(({ message }) => message)];`,
  };
  expect((await code.run(close, { context: chief })).result).toEqual(["closed", 'There is no tool "closeDown".']);
  expect((await code.run(close, { context: BOB })).diagnostics[0]?.message).toContain('has no tool "closeDown"');
  const refused = async (rules: object) => open({ shop: { server, tools: rules } }).catch((error: unknown) => error);
  expect(await refused({ sel: { needsApproval: true } })).toMatchObject({
    ...{ code: "INVALID_OPTION", hint: "Did you mean `sell`?" },
  });
  expect(await refused({ sell: { needApproval: true } })).toMatchObject({
    message: 'tool "shop/sell": there is no rule `needApproval`',
  });
});

test("what the policy asks about, no tool can allow", async () => {
  const script = `import { look } from "@codemode/servers/own"; export default await look().catch(({ name }) => name);`;
  expect((await strict.run({ code: script }, { context: ADA })).result).toBe("ApprovalRefusedError");
  expect(await code.run({ code: script }, { context: ADA })).toMatchObject({ result: 1 });
});
