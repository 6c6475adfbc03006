import { EventEmitter, once } from "node:events";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer, Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { codeMode, type CodeModeOptions, type OwnServers } from "codemode";

/** What the tools of each server did and learnt. */
interface Seen {
  calls: unknown[];
  undone: unknown[];
  /** `began` and `aborted`. */
  events: EventEmitter;
}
/** Rules of the tool `act`. */
type Rules = { [rule: string]: unknown };

const input = z.object({ how: z.string() });

/** What `act` does: the same for each kind of server. */
async function act(seen: Seen, how: string, who: unknown, signal: AbortSignal): Promise<string> {
  if (how === "fail") throw new Error("SECRET-db-password");
  seen.calls.push(who ?? how);
  seen.events.emit("began");
  if (how === "wait") await once(signal, "abort").then(() => seen.events.emit("aborted"));
  return `done ${how}`;
}
const userOf = (info: unknown): unknown => (info as { clientId?: string } | undefined)?.clientId;
const toResult = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** Each kind of own server, with one tool. */
const KINDS: { [kind: string]: (seen: Seen, rules: Rules) => OwnServers[string] } = {
  functions: (seen, rules) => ({
    act: {
      inputSchema: input,
      execute: ({ how }: { how: string }, { context, signal }: { context: unknown; signal: AbortSignal }) =>
        act(seen, how, userOf((context as { authInfo?: unknown } | undefined)?.authInfo), signal),
      ...rules,
    },
  }),
  "McpServer of SDK 1": (seen, rules) => ({
    server: () => {
      const server = new OldMcpServer({ name: "own", version: "1.0.0" });
      server.registerTool("act", { inputSchema: { how: z.string() } }, async ({ how }, { authInfo, signal }) =>
        toResult(await act(seen, how, userOf(authInfo), signal)),
      );
      return server;
    },
    tools: { act: rules },
  }),
  "McpServer of SDK 2": (seen, rules) => ({
    server: () => {
      const server = new McpServer({ name: "own", version: "1.0.0" });
      server.registerTool("act", { inputSchema: input }, async ({ how }, extra) => {
        const { authInfo, http } = extra as { authInfo?: unknown; http?: { authInfo?: unknown } };
        return toResult(await act(seen, how, userOf(http?.authInfo ?? authInfo), extra.mcpReq.signal));
      });
      return server;
    },
    tools: { act: rules },
  }),
  // Its exceptions are errors of JSON-RPC.
  "Server of SDK 2": (seen, rules) => ({
    server: () => {
      const server = new Server({ name: "own", version: "1.0.0" }, { capabilities: { tools: {} } });
      const tool = { name: "act", inputSchema: { type: "object" as const, properties: { how: { type: "string" } } } };
      server.setRequestHandler("tools/list", () => ({ tools: [tool] }));
      server.setRequestHandler("tools/call", async ({ params }, extra) => {
        const { authInfo, http } = extra as { authInfo?: unknown; http?: { authInfo?: unknown } };
        const who = userOf(http?.authInfo ?? authInfo);
        return toResult(await act(seen, String(params.arguments?.["how"]), who, extra.mcpReq.signal));
      });
      return server;
    },
    tools: { act: rules },
  }),
};

/** Runs `act` of a new server of that kind. */
async function open(kind: string, rules: Rules, options: CodeModeOptions = {}) {
  const seen: Seen = { calls: [], undone: [], events: new EventEmitter() };
  const own = KINDS[kind]?.(seen, { undo: (given: unknown) => void seen.undone.push(given), ...rules }) ?? {};
  const code = await codeMode({ own }, { runs: "memory", ...options });
  onTestFinished(() => code.close());
  const run = async (how: string, more: object = {}) => {
    const script = `import { act } from "@codemode/servers/own"; export default await act({ how: "${how}" }).catch(({ name, message }) => [name, message]);`;
    return code.run({ code: script }, more);
  };
  return { code, seen, run };
}

/** Each option and rule, and what shows that it holds. */
const OPTIONS: { [option: string]: (kind: string) => Promise<void> } = {
  async hideErrors(kind) {
    const hidden: unknown[] = [];
    const { run } = await open(kind, {}, { hideErrors: (error, id) => hidden.push([String(error), id]) });
    const { result } = await run("fail");
    const [[error, id]] = hidden as [[string, string]];
    expect(result).toEqual(["ToolCallError", expect.stringContaining(id)]);
    expect(JSON.stringify(result)).not.toContain("SECRET");
    expect(error).toContain("SECRET-db-password");
    expect(hidden).toHaveLength(1);
  },
  async "no hideErrors"(kind) {
    const { run } = await open(kind, {});
    expect((await run("fail")).result).toEqual(["ToolCallError", expect.stringContaining("SECRET-db-password")]);
  },
  async context(kind) {
    const { seen, run } = await open(kind, {});
    await run("go", { context: { authInfo: { clientId: "ada", token: "t", scopes: [] } } });
    expect(seen.calls).toEqual(["ada"]);
  },
  async signal(kind) {
    const { seen, run } = await open(kind, {});
    const [began, aborted] = ["began", "aborted"].map((event) => once(seen.events, event));
    const stop = new AbortController();
    const running = run("wait", { signal: stop.signal });
    await began;
    stop.abort();
    expect((await running).diagnostics.map(({ code }) => code)).toContain("RUN_CANCELLED");
    expect(await aborted).toEqual([]);
  },
  async enabled(kind) {
    const { code, seen, run } = await open(kind, { enabled: (context: unknown) => context === "admin" });
    expect((await run("go", { context: "guest" })).diagnostics.map((one) => one.code)).toEqual(["IMPORT_FAILURE"]);
    expect((await run("go", { context: "admin" })).result).toEqual(expect.stringContaining("done go"));
    expect(seen.calls).toEqual(["go"]);
    expect(code.tool.description).not.toContain("act");
  },
  async needsApproval(kind) {
    const shown: unknown[] = [];
    const approve: CodeModeOptions["approve"] = ({ call }) => shown.push(call?.input) > 1;
    const { seen, run } = await open(
      kind,
      { needsApproval: ({ how }: { how: string }) => how !== "free" },
      { approve },
    );
    expect((await run("free")).result).toEqual(expect.stringContaining("done"));
    expect((await run("dear")).result).toEqual(["ApprovalRefusedError", expect.any(String)]);
    expect((await run("dear")).result).toEqual(expect.stringContaining("done"));
    expect([shown, seen.calls]).toEqual([
      [{ how: "dear" }, { how: "dear" }],
      ["free", "dear"],
    ]);
  },
  async undo(kind) {
    const { code, seen, run } = await open(kind, {});
    const { runId = "" } = await run("go", { durable: true });
    expect(await code.undo(runId)).toEqual(["own/act"]);
    expect(seen.undone).toEqual([{ how: "go" }]);
  },
  async "policy.deny"(kind) {
    const { seen, run } = await open(kind, {}, { policy: { deny: ["own/act"] } });
    expect((await run("go")).diagnostics.map((one) => one.code)).toEqual(["POLICY_DENIED"]);
    expect(seen.calls).toEqual([]);
  },
  async onCall(kind) {
    const { run } = await open(kind, {});
    const events: string[] = [];
    await run("go", { onCall: (event: { kind: string }) => events.push(event.kind) });
    expect(events).toEqual(["started", "ended"]);
  },
};

const CELLS = Object.keys(OPTIONS).flatMap((option) => Object.keys(KINDS).map((kind) => [option, kind] as const));

test.each(CELLS)("`%s` holds for %s", async (option, kind) => {
  expect.hasAssertions();
  await OPTIONS[option]?.(kind);
});
