import { describe, expect, test } from "vitest";
import { diffLockfiles, diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import { proposeFirstVersion, proposeNextVersion, proposeRenewal } from "../../../extras/publish/propose-version.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import { lockedServer, type RawTool } from "../../templates/lockfile-of.ts";

const TOOL: RawTool = { name: "a", inputSchema: { type: "object" } };
const serverOf = (...tools: Partial<RawTool>[]): LockedServer =>
  lockedServer(
    "s",
    tools.map((tool) => ({ ...TOOL, ...tool })),
  );
/** The entry with other facts, sealed as another one. */
const withFacts = (server: LockedServer, facts: Partial<LockedServer>): LockedServer => ({
  ...server,
  ...facts,
  integrity: `sha256-${JSON.stringify(facts)}` as Integrity,
});
const withTool = (server: LockedServer, facts: Partial<LockedTool>): LockedServer =>
  withFacts(server, { tools: server.tools.map((tool) => ({ ...tool, ...facts })) });

const linesOf = (change: ServerChange | undefined): string[] | undefined =>
  change?.changes.map(({ severity, pointer, summary }) => `${severity} ${pointer}: ${summary}`);

/** What counts as claimed where a server says nothing (MCP, ToolAnnotations). */
const CAREFUL = "@destructive @openWorld";

describe("of a server's tools is said", () => {
  test.each<[string, Partial<RawTool>, Partial<RawTool>]>([
    ["text /tools/a/title: title added", {}, { title: "T" }],
    ["text /tools/a/title: title removed", { title: "T" }, {}],
    ["text /tools/a/title: title changed", { title: "T" }, { title: "U" }],
    ["text /tools/a/description: description added", {}, { description: "D" }],
    ["text /tools/a/annotations: annotations changed", {}, { annotations: { destructiveHint: true } }],
    ["breaking /tools/a/inputSchema/type: input changed", {}, { inputSchema: { type: "array" } }],
    [
      "breaking /tools/a/outputSchema: output schema added: the binding returns another value",
      {},
      { outputSchema: true },
    ],
    [
      "breaking /tools/a/outputSchema: output schema removed: the binding returns another value",
      { outputSchema: true },
      {},
    ],
  ])("%s", (line, before, after) => {
    expect(linesOf(diffServer("s", serverOf(before), serverOf(after)))).toEqual([line]);
  });

  test("that a name in code is another one", () => {
    const before = serverOf({});
    expect(diffServer("s", before, withTool(before, { exportName: "b" }))?.changes).toEqual([
      { severity: "breaking", pointer: "/tools/a/exportName", summary: "export renamed", before: "a", after: "b" },
    ]);
  });

  test("that the schema is the configuration's, which changes no value", () => {
    const before = serverOf({});
    const typed = withTool(before, { outputSchema: { type: "string" }, outputSchemaFrom: "configuration" });
    const added = [
      "compatible /tools/a/outputSchema: output narrowed",
      "text /tools/a/outputSchemaFrom: origin of the output schema added",
    ];
    expect(linesOf(diffServer("s", before, typed))).toEqual(added);
    expect(linesOf(diffServer("s", typed, before))).toEqual([
      "breaking /tools/a/outputSchema: output widened",
      "text /tools/a/outputSchemaFrom: origin of the output schema removed",
    ]);
  });

  test("that one says the same in another form, and nothing of one that is as it was", () => {
    const before = serverOf({}, { name: "b" });
    const tools = before.tools.map((tool) =>
      tool.name === "a" ? { ...tool, integrity: "sha256-" as Integrity } : tool,
    );
    expect(diffServer("s", before, withFacts(before, { tools }))).toEqual({
      serverId: "s",
      kind: "changed",
      severity: "text",
      toolsAdded: [],
      toolsRemoved: [],
      toolsChanged: ["a"],
      changes: [{ severity: "text", pointer: "/tools/a", summary: "says the same in another form" }],
    });
  });

  test("which came and which went, with what they do", () => {
    const before = serverOf({ name: "d/1", description: "Does d." }, { name: "c" }, { name: "same" });
    const after = serverOf({ name: "same" }, { name: "b" }, { name: "a", description: "Does a." });
    expect(diffServer("s", before, after)).toEqual({
      serverId: "s",
      kind: "changed",
      severity: "breaking",
      toolsAdded: ["a", "b"],
      toolsRemoved: ["c", "d/1"],
      toolsChanged: [],
      changes: [
        { severity: "compatible", pointer: "/tools/a", summary: `tool "a" added: ${CAREFUL}`, after: "Does a." },
        { severity: "compatible", pointer: "/tools/b", summary: `tool "b" added: ${CAREFUL}`, after: "" },
        { severity: "breaking", pointer: "/tools/c", summary: 'tool "c" removed', before: "" },
        { severity: "breaking", pointer: "/tools/d~11", summary: 'tool "d/1" removed', before: "Does d." },
      ],
    });
  });
});

describe("of a server as a whole is said", () => {
  const server = serverOf({});
  test.each<[string, Partial<LockedServer>, Partial<LockedServer>]>([
    ["text /instructions: instructions added", {}, { instructions: "I" }],
    ["text /instructions: instructions removed", { instructions: "I" }, {}],
    ["text /instructions: instructions changed", { instructions: "I" }, { instructions: "J" }],
    ["text /serverInfo: serverInfo changed", {}, { serverInfo: { name: "t" } }],
  ])("%s", (line, before, after) => {
    expect(linesOf(diffServer("s", withFacts(server, before), withFacts(server, after)))).toEqual([line]);
  });

  test("nothing where it is the same, or on neither side", () => {
    expect(diffServer("s", server, { ...server, instructions: "I" })).toBeUndefined();
    expect(diffServer("s", undefined, undefined)).toBeUndefined();
  });

  test("of several only which have changed, by their ids", () => {
    const servers = (entries: Record<string, LockedServer>) => ({ servers: new Map(Object.entries(entries)) });
    const changes = diffLockfiles(
      servers({ same: server, gone: server, "b-changed": server }),
      servers({ new: server, same: server, "b-changed": withFacts(server, { instructions: "I" }) }),
    );
    expect(changes.map(({ serverId, kind }) => [serverId, kind])).toEqual([
      ["b-changed", "changed"],
      ["gone", "removed"],
      ["new", "added"],
    ]);
  });

  test("that it is new, with its tools", () => {
    expect(diffServer("s", undefined, server)).toEqual({
      serverId: "s",
      kind: "added",
      severity: "compatible",
      toolsAdded: ["a"],
      toolsRemoved: [],
      toolsChanged: [],
      changes: [{ severity: "compatible", pointer: "/tools/a", summary: `tool "a" added: ${CAREFUL}`, after: "" }],
    });
  });

  test("that it is gone, with its tools", () => {
    expect(diffServer("s", withFacts(server, { instructions: "I" }), undefined)).toEqual({
      serverId: "s",
      kind: "removed",
      severity: "breaking",
      toolsAdded: [],
      toolsRemoved: ["a"],
      toolsChanged: [],
      changes: [{ severity: "breaking", pointer: "/tools/a", summary: 'tool "a" removed', before: "" }],
    });
    expect(diffServer("s", serverOf(), undefined)).toMatchObject({ kind: "removed", severity: "text", changes: [] });
  });
});

describe("the next version", () => {
  const version = "1.2.3";
  test.each<[string, string, LockedServer, LockedServer]>([
    [
      "2.0.0",
      "existing scripts may fail (tools: 1 removed, 1 added, 1 changed)",
      serverOf({ name: "b" }, { name: "c" }),
      serverOf({ name: "a" }, { name: "b", title: "B" }),
    ],
    [
      "1.3.0",
      "calls are unchanged, but policies may decide differently (tools: 1 changed)",
      serverOf({}),
      serverOf({ annotations: { readOnlyHint: true } }),
    ],
    ["1.3.0", "existing scripts still work (tools: 1 added)", serverOf(), serverOf({})],
    [
      "1.2.4",
      "only texts have changed (no tool changed)",
      serverOf({}),
      withFacts(serverOf({}), { instructions: "I" }),
    ],
  ])("is %s, as %s", (next, reason, before, after) => {
    expect(proposeNextVersion({ version, lock: before }, after)).toMatchObject({ version: next, reason });
  });

  test.each([
    ["2.3.4", "the first release, with the server's version"],
    ["2.3.4-beta.1", "the first release, with the server's version as a release"],
    ["v2", "the first release; the server's version is no semantic one"],
  ])("of the first package of a server %s is %s", (own, reason) => {
    expect(proposeFirstVersion(lockedServer("s", [], { version: own })).reason).toBe(reason);
  });

  test("is a patch where only the files are others", () => {
    expect(proposeRenewal({ version, lock: serverOf({}) })).toEqual({
      version: "1.2.4",
      reason: "the tools are the same, but codemode now generates different files",
    });
  });
});

test("a tool with another name and the same import is renamed, and it is said what follows", () => {
  const tool = { inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  const before = serverOf({ ...tool, name: "tavily-crawl" });
  const after = serverOf({ ...tool, name: "tavily_crawl" });
  const policy = { allow: ["*"], ask: [], deny: ["s/tavily-crawl"] };
  const change = diffServer("s", before, after, policy);
  expect(change).toMatchObject({
    severity: "policy",
    toolsAdded: ["tavily_crawl"],
    toolsRemoved: ["tavily-crawl"],
    changes: [{ verdict: { before: "deny", after: "allow" } }],
  });
  expect(linesOf(change)).toEqual([
    'policy /tools/tavily_crawl: tool "tavily-crawl" renamed to "tavily_crawl": scripts import `tavily_crawl` as before; patterns of policies and filters that name "tavily-crawl" no longer match',
  ]);
  const narrower = serverOf({ ...tool, name: "tavily_crawl", inputSchema: { type: "object", required: ["url"] } });
  expect(diffServer("s", before, narrower)).toMatchObject({ severity: "breaking" });
  expect(diffServer("s", before, serverOf({ ...tool, name: "crawl" }))).toMatchObject({ severity: "breaking" });
});
