import { EventEmitter, once } from "node:events";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer, Server } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type CodeMode, codeMode, type CodeModeOptions, type RunOptions } from "codemode";
import { SHARED_PROCESS } from "./open-code-mode.ts";

/** What the tools did and learnt since the test began, and what a person was shown. */
const seen = { calls: [] as unknown[], undone: [] as unknown[], shown: [] as unknown[], hidden: [] as string[][] };
/** `began` and `aborted`. */
const events = new EventEmitter();
beforeEach(() => Object.values(seen).forEach((list) => list.splice(0)));

const input = z.object({ how: z.string() });
type How = z.infer<typeof input>;

/** Rules of tools that all do the same. */
type Rules = { [tool: string]: object };
const ACT: Rules = { act: { undo: (given: unknown) => void seen.undone.push(given) } };
const RULED: Rules = {
  ...ACT,
  guarded: { enabled: (context: unknown) => context === "admin" },
  asked: { needsApproval: ({ how }: How) => how !== "free" },
};

async function act(how: string, who: unknown, signal: AbortSignal): Promise<string> {
  if (how === "fail") throw new Error("SECRET-db-password");
  seen.calls.push(who ?? how);
  events.emit("began");
  if (how === "wait") await once(signal, "abort").then(() => events.emit("aborted"));
  return `done ${how}`;
}
const userOf = (info: unknown): unknown => (info as { clientId?: string } | undefined)?.clientId;
const toResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
const INFO = { name: "own", version: "1.0.0" };

/** What a tool of SDK 2 is called with, beside its input. */
interface Extra {
  authInfo?: unknown;
  http?: { authInfo?: unknown };
  mcpReq: { signal: AbortSignal };
}
const actOfSdk2 = async (how: string, { authInfo, http, mcpReq }: Extra) =>
  toResult(await act(how, userOf(http?.authInfo ?? authInfo), mcpReq.signal));

/** A server of each kind with these tools. */
const makeServers = (rules: Rules) => ({
  functions: Object.fromEntries(
    Object.entries(rules).map(([name, ofTool]) => {
      const execute = ({ how }: How, { context, signal }: { context: unknown; signal: AbortSignal }) =>
        act(how, userOf((context as { authInfo?: unknown } | undefined)?.authInfo), signal);
      return [name, { inputSchema: input, execute, ...ofTool }];
    }),
  ),
  "sdk-1": {
    server: () => {
      const server = new OldMcpServer(INFO);
      for (const name of Object.keys(rules))
        server.registerTool(name, { inputSchema: input.shape }, async ({ how }, { authInfo, signal }) =>
          toResult(await act(how, userOf(authInfo), signal)),
        );
      return server;
    },
    tools: rules,
  },
  "sdk-2": {
    server: () => {
      const server = new McpServer(INFO);
      for (const name of Object.keys(rules))
        server.registerTool(name, { inputSchema: input }, ({ how }, extra) => actOfSdk2(how, extra));
      return server;
    },
    tools: rules,
  },
  // Its exceptions are errors of JSON-RPC.
  "sdk-2-server": {
    server: () => {
      const server = new Server(INFO, { capabilities: { tools: {} } });
      const inputSchema = { type: "object" as const, properties: { how: { type: "string" } } };
      server.setRequestHandler("tools/list", () => ({
        tools: Object.keys(rules).map((name) => ({ name, inputSchema })),
      }));
      server.setRequestHandler("tools/call", ({ params }, extra) =>
        actOfSdk2(String(params.arguments?.["how"]), extra),
      );
      return server;
    },
    tools: rules,
  },
});
const SERVERS = makeServers(RULED);

/** One denies a tool and hides errors. */
let [code, strict]: CodeMode[] = [];
beforeAll(async () => {
  const options: CodeModeOptions = { runs: "memory", ...SHARED_PROCESS };
  [code, strict] = await Promise.all([
    codeMode(SERVERS, { ...options, approve: ({ call }) => seen.shown.push(call?.input) > 1 }),
    codeMode(makeServers({ ...ACT, denied: {} }), {
      ...{ ...options, policy: { deny: ["*/denied"] } },
      hideErrors: (error, id) => void seen.hidden.push([String(error), id]),
    }),
  ]);
});
afterAll(() => Promise.all([code, strict].map((each) => each?.close())));

/** Calls a tool of a server in a script. */
async function run(
  server: string,
  how: string,
  { tool = "act", of = code, ...more }: RunOptions & { tool?: string; of?: CodeMode | undefined } = {},
) {
  const script = `import { ${tool} } from "@codemode/servers/${server}"; export default await ${tool}({ how: "${how}" }).catch(({ name, message }) => [name, message]);`;
  if (of === undefined) throw new Error("No engine is open.");
  return of.run({ code: script }, more);
}

/** Each option and rule, and what shows that it holds. */
const OPTIONS: { [option: string]: (server: string) => Promise<void> } = {
  async hideErrors(server) {
    const { result } = await run(server, "fail", { of: strict });
    const [[error, id] = []] = seen.hidden;
    expect(result).toEqual(["ToolCallError", expect.stringContaining(id ?? "no id")]);
    expect(JSON.stringify(result)).not.toContain("SECRET");
    expect(error).toContain("SECRET-db-password");
    expect(seen.hidden).toHaveLength(1);
  },
  async "no hideErrors"(server) {
    const { result } = await run(server, "fail");
    expect(result).toEqual(["ToolCallError", expect.stringContaining("SECRET-db-password")]);
  },
  async context(server) {
    await run(server, "go", { context: { authInfo: { clientId: "ada", token: "t", scopes: [] } } });
    expect(seen.calls).toEqual(["ada"]);
  },
  async signal(server) {
    const [began, aborted] = ["began", "aborted"].map((event) => once(events, event));
    const stop = new AbortController();
    const running = run(server, "wait", { signal: stop.signal });
    await began;
    stop.abort();
    expect((await running).diagnostics.map((one) => one.code)).toContain("RUN_CANCELLED");
    expect(await aborted).toEqual([]);
  },
  async enabled(server) {
    const as = (context: string) => run(server, "go", { tool: "guarded", context });
    expect((await as("guest")).diagnostics.map((one) => one.code)).toEqual(["IMPORT_FAILURE"]);
    expect((await as("admin")).result).toEqual(expect.stringContaining("done go"));
    expect(seen.calls).toEqual(["go"]);
    expect(code?.tool.description).not.toContain("guarded");
  },
  async needsApproval(server) {
    const call = async (how: string) => (await run(server, how, { tool: "asked" })).result;
    expect(await call("free")).toEqual(expect.stringContaining("done"));
    expect(await call("dear")).toEqual(["ApprovalRefusedError", expect.any(String)]);
    expect(await call("dear")).toEqual(expect.stringContaining("done"));
    expect([seen.shown, seen.calls]).toEqual([
      [{ how: "dear" }, { how: "dear" }],
      ["free", "dear"],
    ]);
  },
  async undo(server) {
    const { runId = "" } = await run(server, "go", { durable: true });
    expect(await code?.undo(runId)).toEqual([`${server}/act`]);
    expect(seen.undone).toEqual([{ how: "go" }]);
  },
  async "policy.deny"(server) {
    expect((await run(server, "go", { tool: "denied", of: strict })).diagnostics).toMatchObject([
      { code: "POLICY_DENIED" },
    ]);
    expect(seen.calls).toEqual([]);
  },
  async onCall(server) {
    const kinds: string[] = [];
    await run(server, "go", { onCall: (event: { kind: string }) => kinds.push(event.kind) });
    expect(kinds).toEqual(["started", "ended"]);
  },
};

const CELLS = Object.keys(OPTIONS).flatMap((option) => Object.keys(SERVERS).map((server) => [option, server] as const));

test.each(CELLS)("`%s` holds for %s", async (option, server) => {
  expect.hasAssertions();
  await OPTIONS[option]?.(server);
});
