import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { handleCalls } from "../../runtime/host/call/handle-calls.ts";
import type { Requester, Run } from "../../runtime/host/run.ts";
import { snapshotServers } from "../../runtime/host/lock/snapshot-servers.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import type { CallReply } from "../../runtime/sandbox/pool/handle-call.ts";
import { hostOf, runOf } from "./run-of.ts";

const config = toConfig(
  {
    mcpServers: {
      everything: {
        command: process.execPath,
        args: [resolve("test/servers/stand-in.mjs"), "everything"],
      },
      broken: { command: process.execPath, args: ["-e", "process.exit(3)"] },
    },
  },
  "codemode.config.json",
  process.cwd(),
);
const connections = makeConnectionSet(config);
let lockfile: Lockfile;

beforeAll(async () => {
  const {
    taken: [taken],
  } = await snapshotServers(config.servers.slice(0, 1), connections, config);
  if (taken === undefined) throw new Error("The server was not locked.");
  const everything = taken.server;
  lockfile = {
    servers: new Map([
      ["everything", everything],
      ["broken", { ...everything, id: "broken" }],
    ]),
  };
});
afterAll(() => connections.close());

function lockedTool(name: string): LockedTool {
  const tool = lockfile.servers.get("everything")?.tools.find((entry) => entry.name === name);
  if (tool === undefined) throw new Error(`The server has no tool ${name}.`);
  return tool;
}

/** Calls one tool by default with a manifest that grants `echo` and `get-sum`. */
async function call(
  [serverId, toolName, input]: [serverId: string, toolName: string, input: JsonValue],
  { access = ownAccess(DEFAULTS.policy), ...changes }: Partial<Run & Pick<Requester, "access">> = {},
): Promise<{ reply: CallReply; reported: Diagnostic[] }> {
  const reported: Diagnostic[] = [];
  const tools = ["echo", "get-sum"].flatMap((name) => {
    const { exportName, integrity } = lockedTool(name);
    return ["everything", "broken"].map((id) => ({ serverId: id, toolName: name, exportName, integrity }));
  });
  const run = runOf({
    ...{ request: { access }, lockfile, manifest: { tools } },
    report: (diagnostic) => reported.push(diagnostic),
    ...changes,
  });
  const perform = handleCalls(hostOf({ guard: () => connections.get }), run, () => ({ ok: true, value: "found" }));
  const { signal } = new AbortController();
  const inputJson = JSON.stringify(input);
  return { reply: await perform({ serverId, toolName, input, inputJson, position: 1, signal }), reported };
}

test("a granted call is performed and its result unwrapped", async () => {
  const { reply } = await call(["everything", "get-sum", { a: 2, b: 3 }]);
  expect(reply).toEqual({ ok: true, value: "The sum of 2 and 3 is 5." });
});

test.each<[name: string, call: [string, string, JsonValue], errorClass: string, hint: RegExp]>([
  ["a server that is not locked", ["everythin", "echo", {}], "ServerNotFoundError", /Did you mean "everything"/],
  ["a tool that is not locked", ["everything", "ecko", {}], "ToolNotFoundError", /Did you mean "echo"/],
  ["a tool outside the manifest", ["everything", "get-env", {}], "ToolNotFoundError", /import \{ get_env \}/],
  ["a name that every object inherits", ["constructor", "echo", {}], "ServerNotFoundError", /./],
  ["an input of the wrong shape", ["everything", "get-sum", { a: 2 }], "SchemaValidationError", /Add the property "b"/],
  ["an input that is no object", ["everything", "echo", "hi"], "SchemaValidationError", /object/],
  [
    "a server that does not start",
    ["broken", "echo", { message: "hi" }],
    "ServerNotFoundError",
    /codemode lock broken/,
  ],
])("%s is refused", async (_, request, errorClass, hint) => {
  const { reply } = await call(request);
  expect(reply).toMatchObject({ ok: false, error: { errorClass, hint: expect.stringMatching(hint) } });
});

test("of two servers with the same tools the script may call the one that it imports from", async () => {
  const { exportName, integrity } = lockedTool("echo");
  const manifest = { tools: [{ serverId: "everything", toolName: "echo", exportName, integrity }] };
  const { reply } = await call(["broken", "echo", { message: "hi" }], { manifest });
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
  expect(reply).toMatchObject({ error: { message: expect.stringContaining("manifest") } });
});

test("of two servers with the same tools a person's approval is for one", async () => {
  const granted = [{ serverId: "everything", toolName: "echo" }];
  const access = ownAccess({ ...DEFAULTS.policy, ask: ["*/echo"] });
  const { reply, reported } = await call(["broken", "echo", { message: "hi" }], { access, granted });
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
  expect(reported).toMatchObject([{ code: "APPROVAL_REQUIRED", message: expect.stringContaining("broken/echo") }]);
});

test("a tool that was bundled from another lock entry is refused", async () => {
  const { exportName } = lockedTool("echo");
  const stale = { serverId: "everything", toolName: "echo", exportName, integrity: "sha256-of-yesterday" } as const;
  const { reply } = await call(["everything", "echo", { message: "hi" }], { manifest: { tools: [stale] } });
  expect(reply).toMatchObject({
    ok: false,
    error: { errorClass: "ToolCallError", hint: "Generate the packages, and bundle the script again." },
  });
});

test.each([
  ["POLICY_DENIED", { ...DEFAULTS.policy, deny: ["everything/e*"] }],
  ["APPROVAL_REQUIRED", { ...DEFAULTS.policy, ask: ["*/echo"] }],
])("%s is thrown into the script and named in the answer", async (code, policy) => {
  const { reply, reported } = await call(["everything", "echo", { message: "hi" }], { access: ownAccess(policy) });
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
  expect(reported).toMatchObject([{ code, severity: "warning" }]);
});

const ASK_ECHO = { ...DEFAULTS.policy, ask: ["everything/echo", "everything/get-sum"] };

test("what a person has granted is called; the rest of what needs approval is not, even if the sandbox asks", async () => {
  const granted = [{ serverId: "everything", toolName: "echo" }];
  const changes = { access: ownAccess(ASK_ECHO), granted };
  expect((await call(["everything", "echo", { message: "hi" }], changes)).reply).toEqual({
    ok: true,
    value: "Echo: hi",
  });
  const { reply, reported } = await call(["everything", "get-sum", { a: 1, b: 2 }], changes);
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
  expect(reported).toMatchObject([
    { code: "APPROVAL_REQUIRED", message: expect.stringContaining("everything/get-sum") },
  ]);
});

test("a grant does not outweigh a denial, nor make up for the manifest", async () => {
  const granted = ["echo", "get-env"].map((toolName) => ({ serverId: "everything", toolName }));
  const denied = { access: ownAccess({ ...ASK_ECHO, deny: ["*/echo"] }), granted };
  expect((await call(["everything", "echo", { message: "hi" }], denied)).reported).toMatchObject([
    { code: "POLICY_DENIED" },
  ]);
  const { reply } = await call(["everything", "get-env", {}], { access: ownAccess(ASK_ECHO), granted });
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
});

test("an access without the server denies every call to it", async () => {
  const access = { ...ownAccess(DEFAULTS.policy), client: "ci", servers: ["broken"] };
  const { reply } = await call(["everything", "echo", { message: "hi" }], { access });
  expect(reply).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
});
