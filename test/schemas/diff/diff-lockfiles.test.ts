import { describe, expect, test } from "vitest";
import type { Policy } from "../../../schemas/config/config-file.ts";
import { diffLockfiles, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import { lockServer } from "../../../schemas/lock/lock-server.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { lockfileOf, type RawTool } from "../../templates/lockfile-of.ts";

const TOOL: RawTool = { name: "erase", inputSchema: { type: "object" } };
const READERS_ONLY: Policy = { allow: ["@readOnly"], ask: [], deny: [] };

function changeOf(before: Partial<RawTool>, after: Partial<RawTool>, policy?: Policy): ServerChange {
  const [change] = diffLockfiles(
    lockfileOf({ disk: [{ ...TOOL, ...before }] }),
    lockfileOf({ disk: [{ ...TOOL, ...after }] }),
    policy,
  );
  return change ?? expect.fail("nothing has changed");
}

describe("annotations", () => {
  test("a claim that policies can name is of a class of its own, and says which", () => {
    const change = changeOf({ annotations: { readOnlyHint: true } }, { annotations: { destructiveHint: true } });
    expect(change).toMatchObject({
      severity: "policy",
      changes: [
        { severity: "policy", pointer: "/tools/erase/annotations", summary: "no longer @readOnly, now @destructive" },
      ],
    });
    expect(change.changes[0]).not.toHaveProperty("verdict");
  });

  test("with a policy it says what that makes of a call before and after", () => {
    const reader = { annotations: { readOnlyHint: true, openWorldHint: false } };
    const writer = { annotations: { readOnlyHint: false, openWorldHint: false } };
    const verdictOf = (policy: Policy) => changeOf(reader, writer, policy).changes[0]?.verdict;
    expect(verdictOf(READERS_ONLY)).toEqual({ before: "allow", after: "deny" });
    expect(verdictOf({ allow: ["*"], ask: ["@destructive"], deny: [] })).toEqual({ before: "allow", after: "ask" });
    expect(verdictOf({ allow: ["*"], ask: [], deny: [] })).toEqual({ before: "allow", after: "allow" });
    expect(changeOf(writer, reader, READERS_ONLY).changes[0]).toMatchObject({
      summary: "now @readOnly, no longer @destructive",
      verdict: { before: "deny", after: "allow" },
    });
  });

  test.each([
    ["added, with what holds without them", undefined, { destructiveHint: true }],
    ["with another title", { title: "Erase" }, { title: "Look" }],
    ["with a key that policies cannot name", {}, { vendor: 1 }],
  ])("%s are words", (_, before, after) => {
    expect(changeOf({ annotations: before }, { annotations: after }, READERS_ONLY)).toMatchObject({
      severity: "text",
      changes: [{ severity: "text", summary: expect.stringMatching(/^annotations/) as string }],
    });
  });

  test("are graver than an addition, and less grave than a break", () => {
    const claims = { annotations: { readOnlyHint: true } };
    const more = { inputSchema: { type: "object", properties: { force: {} } } };
    const broken = { inputSchema: { type: "object", properties: { force: {} }, required: ["force"] } };
    expect(changeOf({}, { ...claims, ...more }).severity).toBe("policy");
    expect(changeOf({}, { ...claims, ...broken }).severity).toBe("breaking");
  });
});

describe("an output schema", () => {
  const schema = { type: "object", properties: { title: { type: "string" } } };

  test("that a server adds or takes away makes the binding return another value", () => {
    expect(changeOf({}, { outputSchema: schema })).toMatchObject({
      severity: "breaking",
      changes: [
        { pointer: "/tools/erase/outputSchema", summary: expect.stringContaining("output schema added") as string },
      ],
    });
    expect(changeOf({ outputSchema: schema }, {})).toMatchObject({
      severity: "breaking",
      changes: [{ summary: expect.stringContaining("output schema removed") as string }],
    });
  });

  test("that promises more is compatible, and one that promises less is not", () => {
    const more = { ...schema, required: ["title"] };
    expect(changeOf({ outputSchema: schema }, { outputSchema: more }).severity).toBe("compatible");
    expect(changeOf({ outputSchema: more }, { outputSchema: schema }).severity).toBe("breaking");
  });

  test("of the configuration changes no value", () => {
    const outputs = new Map([["disk/erase", schema]]);
    const [change] = diffLockfiles(
      { servers: new Map([["disk", lockWith(undefined)]]) },
      { servers: new Map([["disk", lockWith(outputs)]]) },
    );
    expect(change).toMatchObject({ severity: "compatible" });
  });
});

function lockWith(outputs: ReadonlyMap<string, { type: string }> | undefined): LockedServer {
  const source = { transport: "stdio", command: "server", args: [], env: new Map<string, string>() } as const;
  return lockServer(
    { id: "disk", name: "disk", source, ...(outputs === undefined ? {} : { outputs }) },
    {
      serverInfo: {},
      protocolVersion: "2025-11-25",
      era: "legacy",
      capabilities: {},
      clientCapabilities: {},
      tools: [{ name: "erase", inputSchema: { type: "object" } }],
    },
  );
}
