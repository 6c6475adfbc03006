import { expect, test } from "vitest";
import { admitCall, type CallRules } from "../../runtime/host/checks/admit-call.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { DEFAULT_POLICY } from "../../schemas/config/policy-settings.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

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
function admit([serverId, toolName, input]: [string, string, JsonValue], changes: Partial<CallRules> = {}) {
  const reported: Diagnostic[] = [];
  const outcome = admitCall(
    { serverId, toolName, input },
    {
      lockfile,
      manifest: { tools: [entryOf("one", "read"), entryOf("one", "write")] },
      access: ownAccess(DEFAULT_POLICY),
      granted: [],
      checkInput: makeInputCheck(),
      report: (diagnostic) => reported.push(diagnostic),
      ...changes,
    },
  );
  return { outcome, reported };
}

test("what nothing refuses is admitted, with the tool of the lockfile and the input as it came", () => {
  const input = { a: 1, more: true };
  expect(admit(["one", "read", input])).toEqual({ outcome: { tool: toolOf("one", "read"), input }, reported: [] });
  expect(admit(["one", "write", {}]).outcome).toEqual({ tool: toolOf("one", "write"), input: {} });
});

test.each<[string, [string, string, JsonValue], Partial<CallRules>, object]>([
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
      message: 'The script\'s manifest does not hold the tool "read" of "two".',
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

const access = (policy: object) => ownAccess({ ...DEFAULT_POLICY, ...policy });
const granted = [{ serverId: "one", toolName: "read" }];

test.each<[string, string, Partial<CallRules>, string | undefined]>([
  ["is allowed", "read", { access: access({ ask: ["one/write"], deny: ["two/*"] }) }, undefined],
  ["is denied", "read", { access: access({ deny: ["one/read"] }) }, "POLICY_DENIED"],
  ["is denied, even if it is granted", "read", { access: access({ deny: ["one/read"] }), granted }, "POLICY_DENIED"],
  ["is not allowed", "read", { access: access({ allow: [] }) }, "POLICY_DENIED"],
  ["needs consent", "read", { access: access({ ask: ["*"] }) }, "APPROVAL_REQUIRED"],
  ["has consent", "read", { access: access({ ask: ["*"] }), granted }, undefined],
  ["has consent for another tool", "write", { access: access({ ask: ["*"] }), granted }, "APPROVAL_REQUIRED"],
  [
    "has consent for another server",
    "read",
    { access: access({ ask: ["*"] }), granted: [{ serverId: "two", toolName: "read" }] },
    "APPROVAL_REQUIRED",
  ],
])("a call that %s", (_name, toolName, changes, code) => {
  const { outcome, reported } = admit(["one", toolName, { a: 1 }], changes);
  if (code === undefined) {
    expect(outcome).toHaveProperty("tool");
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
