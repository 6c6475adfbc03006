import { expect, test } from "vitest";
import { admitCall, makeToolSearch } from "../../runtime/host/checks/admit-call.ts";
import type { InputCheck } from "../../runtime/host/checks/input-check.ts";
import type { Requester, Run } from "../../runtime/host/run.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { RESOURCE_OPERATIONS, toTemplateOperation } from "@codemode/runtime/connections/operations/resource-operations";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";
import { hostOf, runOf } from "./run-of.ts";

const INPUT = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const TOOLS = [{ name: "read", inputSchema: INPUT }, { name: "write" }];
/** Two accounts of one server: their tools are equal to the last byte. */
const lockfile = lockfileOf({ one: TOOLS, two: TOOLS });
const toolOf = (serverId: string, name: string): LockedTool =>
  lockfile.servers.get(serverId)?.tools.find((tool) => tool.name === name) as LockedTool;
const entryOf = (serverId: string, toolName: string) => {
  const { exportName, integrity } = toolOf(serverId, toolName);
  return { serverId, toolName, exportName, integrity };
};

/** Asks for a call of a script that imports `one/read` and `one/write`. */
function admit([serverId, toolName, input]: [string, string, JsonValue], changes: Rules = {}) {
  const reported: Diagnostic[] = [];
  const { access = ownAccess(DEFAULTS.policy), checkInput, ...given } = changes;
  const run = runOf({
    ...{ request: { access }, lockfile, manifest: { tools: [entryOf("one", "read"), entryOf("one", "write")] } },
    report: (diagnostic) => reported.push(diagnostic),
    ...given,
  });
  const host = hostOf(checkInput === undefined ? {} : { checkInput });
  return { outcome: admitCall({ serverId, toolName, input }, host, run, makeToolSearch(run)), reported };
}

/** What such a call is held against. */
type Rules = Partial<Pick<Run, "lockfile" | "manifest" | "granted"> & Pick<Requester, "access">> & {
  checkInput?: InputCheck;
};

test("what nothing refuses is admitted, with the tool of the lockfile and the input as it came", () => {
  const input = { a: 1, more: true };
  expect(admit(["one", "read", input])).toEqual({ outcome: { tool: toolOf("one", "read"), input }, reported: [] });
  expect(admit(["one", "write", {}]).outcome).toEqual({ tool: toolOf("one", "write"), input: {} });
});

test.each<[string, [string, string, JsonValue], Rules, object]>([
  [
    "a server that is not locked",
    ["none", "read", {}],
    {},
    { errorClass: "ServerNotFoundError", message: expect.stringContaining('"none"') },
  ],
  [
    "a tool that is not locked",
    ["one", "none", {}],
    {},
    { errorClass: "ToolNotFoundError", message: expect.stringContaining('"none"') },
  ],
  [
    "an equal tool of another server",
    ["two", "read", { a: 1 }],
    {},
    {
      errorClass: "ToolNotFoundError",
      message: 'The script\'s manifest does not contain the tool "read" of "two".',
      hint: 'Import it: import { read } from "@codemode/servers/two";',
    },
  ],
  [
    "another tool of the server",
    ["one", "write", {}],
    { manifest: { tools: [entryOf("one", "read")] } },
    { errorClass: "ToolNotFoundError", message: expect.stringContaining('"write" of "one"') },
  ],
  [
    "a tool that has changed",
    ["one", "read", { a: 1 }],
    { manifest: { tools: [{ ...entryOf("one", "read"), integrity: "sha256-old" }] } },
    {
      errorClass: "ToolCallError",
      message: 'The tool "read" of "one" has changed since this script was bundled.',
      hint: expect.stringContaining("bundle"),
    },
  ],
  [
    "an input without what it needs",
    ["one", "read", {}],
    {},
    { errorClass: "SchemaValidationError", hint: expect.stringContaining('"a"'), details: expect.any(Object) },
  ],
  ["an input of another type", ["one", "read", { a: "1" }], {}, { errorClass: "SchemaValidationError" }],
])("%s is refused without a word in the answer", (_name, call, changes, error) => {
  const { outcome, reported } = admit(call, changes);
  expect(outcome).toMatchObject({ error });
  expect(reported).toEqual([]);
});

test("a refusal of the input shows one that would be taken", () => {
  const { outcome } = admit(["one", "read", {}]);
  expect(outcome).toMatchObject({ error: { details: { example: { a: 1 } } } });
});

const access = (policy: object) => ownAccess({ ...DEFAULTS.policy, ...policy });
const granted = [{ serverId: "one", toolName: "read" }];

/** The server has changed this tool, or added it, since it was locked: what it is to do now, a person has not seen yet. */
const pending = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
const changed = { ...toolOf("one", "read"), pending };
const one = lockfile.servers.get("one") as LockedServer;
const unseen = { lockfile: { servers: new Map([["one", { ...one, tools: [changed] }]]) } };

test.each<[string, string, Rules, string | undefined]>([
  ["is allowed", "read", { access: access({ ask: ["one/write"], deny: ["two/*"] }) }, undefined],
  ["is denied", "read", { access: access({ deny: ["one/read"] }) }, "POLICY_DENIED"],
  ["is denied, even if it is granted", "read", { access: access({ deny: ["one/read"] }), granted }, "POLICY_DENIED"],
  ["is not allowed", "read", { access: access({ allow: [] }) }, "POLICY_DENIED"],
  ["needs approval", "read", { access: access({ ask: ["*"] }) }, "APPROVAL_REQUIRED"],
  ["has approval", "read", { access: access({ ask: ["*"] }), granted }, undefined],
  ["has approval for another tool", "write", { access: access({ ask: ["*"] }), granted }, "APPROVAL_REQUIRED"],
  [
    "has approval for another server",
    "read",
    { access: access({ ask: ["*"] }), granted: [{ serverId: "two", toolName: "read" }] },
    "APPROVAL_REQUIRED",
  ],
  ["is asked about when it is made", "read", { access: access({ askEach: ["*"] }) }, undefined],
  [
    "is unseen, and asked about each time",
    "read",
    { ...unseen, access: access({ askEach: ["*"] }) },
    "APPROVAL_REQUIRED",
  ],
  ["is unseen, and has approval", "read", { ...unseen, access: access({ askEach: ["*"] }), granted }, undefined],
])("a call that %s", (_name, toolName, changes, code) => {
  const { outcome, reported } = admit(["one", toolName, { a: 1 }], changes);
  if (code === undefined) {
    expect(outcome).toHaveProperty("tool");
    expect("asks" in outcome).toBe(changes.access?.policies.some(({ askEach }) => askEach?.length === 1) === true);
    expect(reported).toEqual([]);
    return;
  }
  const message = expect.stringContaining(`one/${toolName}`);
  expect(outcome).toMatchObject({
    error: { errorClass: "ToolCallError", message, hint: expect.stringContaining("policy") },
  });
  expect(reported).toEqual([
    { severity: "warning", code, message, hint: expect.stringContaining("policy"), errorClass: "ToolCallError" },
  ]);
});

test("the policy is asked before the input is looked at", () => {
  const refuseToLook = () => {
    throw new Error("looked at");
  };
  expect(
    admit(["one", "read", {}], { access: access({ deny: ["*"] }), checkInput: refuseToLook }).reported,
  ).toMatchObject([{ code: "POLICY_DENIED" }]);
});

const NOTES = "resource:note:///{+path}";
const notes = lockServer(
  { id: "notes", name: "notes", source: { transport: "stdio", command: "notes", args: [], env: new Map() } },
  {
    ...{ serverInfo: {}, protocolVersion: "2025-11-25", era: "legacy", capabilities: {}, clientCapabilities: {} },
    tools: [],
    resources: [...RESOURCE_OPERATIONS, toTemplateOperation({ name: "note" }, "note:///{+path}") as WireTool],
  },
);

/** Reads a resource, by `read` or by the template, with a manifest that has only that. */
function read(toolName: string, input: JsonValue, policy: object, isGranted = false) {
  const { exportName, integrity } = findOperation(notes, toolName) as LockedTool;
  return admit(["notes", toolName, input], {
    lockfile: { servers: new Map([["notes", notes]]) },
    manifest: { tools: [{ serverId: "notes", toolName, exportName, integrity }] },
    access: access(policy),
    granted: isGranted ? [{ serverId: "notes", toolName }] : [],
  });
}

const SECRET = { deny: ["notes/resource:note:///secret/*"] };

test.each<[string, string, JsonValue, object, boolean, string | undefined]>([
  ["is open", "resource:*", "note:///open/a", SECRET, false, undefined],
  ["is open, by its template", NOTES, { path: "open/a" }, SECRET, false, undefined],
  ["is denied", "resource:*", "note:///secret/a", SECRET, false, "POLICY_DENIED"],
  ["is denied, in a template that is not", NOTES, { path: "secret/a" }, SECRET, false, "POLICY_DENIED"],
  ["is denied, with approval", NOTES, { path: "secret/a" }, SECRET, true, "POLICY_DENIED"],
  ["is not allowed", NOTES, { path: "b" }, { allow: ["notes/resource:note:///a"] }, false, "POLICY_DENIED"],
  ["is allowed by itself", NOTES, { path: "a" }, { allow: ["notes/resource:note:///a"] }, false, undefined],
  ["needs approval", NOTES, { path: "a" }, { ask: ["notes/resource:note:///a"] }, false, "APPROVAL_REQUIRED"],
  ["has approval", NOTES, { path: "a" }, { ask: ["notes/resource:note:///a"] }, true, undefined],
])("a read of a resource that %s", (_, toolName, input, policy, isGranted, code) => {
  const { outcome, reported } = read(toolName, input, policy, isGranted);
  expect(reported.map((diagnostic) => diagnostic.code)).toEqual(code === undefined ? [] : [code]);
  expect("error" in outcome).toBe(code !== undefined);
});

test.each<[string, JsonValue]>([
  ["resource:*", "note:///open/../secret/a"],
  ["resource:*", "not a URI"],
  [NOTES, { path: "open/..%2fsecret/a" }],
  [NOTES, { path: "%73ecret/a" }],
])("a URI that servers may read in different ways is refused: %s %j", (toolName, input) => {
  expect(read(toolName, input, {}).outcome).toMatchObject({
    error: {
      errorClass: "ToolCallError",
      message: expect.stringContaining("is refused: it"),
      hint: expect.any(String),
    },
  });
});

test.each<[string, JsonValue]>([
  ["resource:*", { uri: "note:///open/a" }],
  [NOTES, {}],
  [NOTES, { path: 5 }],
  [NOTES, { path: "a", uri: "note:///secret/a" }],
])("the input of %s is checked: %j", (toolName, input) => {
  expect(read(toolName, input, {}).outcome).toMatchObject({ error: { errorClass: "SchemaValidationError" } });
});
