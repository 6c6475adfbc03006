import { expect, test } from "vitest";
import { countOperations } from "../../schemas/lock/operations.ts";
import { toServerDescription, toServerInfo, toToolDefinition } from "../../schemas/lock/tool-details.ts";
import { explainOldNode, explainOtherEngine } from "../../schemas/oldest-node.ts";
import { claimsOf, describeToolToApprove } from "../../schemas/run/approval.ts";
import {
  holdsPlaceholder,
  isPlaceholder,
  mapPlaceholders,
  splitAtPlaceholders,
  toPlaceholder,
} from "../../schemas/run/placeholders.ts";
import { takesObject, toScriptInfo } from "../../schemas/run/saved-script.ts";
import { readTraceContext } from "../../schemas/run/trace-context.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { shortenText } from "../../schemas/text/short-text.ts";
import { claimName, toTypeName } from "../../schemas/text/type-name.ts";
import { type Diagnostic, capDiagnostics, printDiagnostic } from "../../schemas/run/answer.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

test("a Node that is too old gets the version that is needed", () => {
  for (const version of ["v20.20.0", "20.21.3", "v21.0.0", "v26.0.0"]) expect(explainOldNode(version)).toBeUndefined();
  for (const version of ["v20.19.9", "18.20.0", "v8.1.0"]) {
    expect(explainOldNode(version)).toContain(`Node 20.20 or later; this is Node ${version.replace("v", "")}.\nhint: `);
  }
});

test("other engines than Node are named, each with the way on", () => {
  expect(explainOtherEngine({ node: "20.20.0" })).toBeUndefined();
  expect(explainOtherEngine({ node: "20", bun: "1" })?.cause).toContain("does not run on Bun");
  expect(explainOtherEngine({ node: "20", deno: "2" })).toMatchObject({
    cause: expect.stringContaining("Deno"),
    hint: "Start it with Node 20.20 or later.",
  });
  expect(explainOtherEngine({ node: "20", pnp: "3" })).toMatchObject({
    cause: expect.stringContaining("Yarn"),
    hint: expect.stringContaining("nodeLinker"),
  });
});

const TRACE = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

test("a trace is read from the metadata of a request where it is legal", () => {
  expect(readTraceContext({ traceparent: TRACE })).toEqual({ traceparent: TRACE });
  expect(readTraceContext({ traceparent: TRACE, tracestate: "a=1" })).toEqual({
    traceparent: TRACE,
    tracestate: "a=1",
  });
  for (const tracestate of ["", "x".repeat(513), "ü", "a\n", 1]) {
    expect(readTraceContext({ traceparent: TRACE, tracestate })).toEqual({ traceparent: TRACE });
  }
  const wrong = [
    TRACE.replace("00-", "01-"),
    `${TRACE}0`,
    `x${TRACE}`,
    TRACE.replace(/a+/, "0".repeat(32)),
    TRACE.replace(/b+/, "0".repeat(16)),
    TRACE.toUpperCase(),
    1,
  ];
  for (const traceparent of wrong) expect(readTraceContext({ traceparent })).toBeUndefined();
  expect([readTraceContext({}), readTraceContext(undefined)]).toEqual([undefined, undefined]);
});

const NONCE = "0123456789abcdef";

test("a placeholder is one word that survives in a text", () => {
  const placeholder = toPlaceholder("API-Key ß", 12, NONCE);
  expect(placeholder).toBe(`redacted_apikey_12_${NONCE}`);
  expect(toPlaceholder("x".repeat(40), 1, NONCE)).toBe(`redacted_${"x".repeat(32)}_1_${NONCE}`);
  expect(splitAtPlaceholders(`a ${placeholder}b`)).toEqual(["a ", "b"]);
  expect([holdsPlaceholder(`a${placeholder}`), holdsPlaceholder("redacted_"), holdsPlaceholder("a")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(
    [placeholder, `${placeholder} `, ` ${placeholder}`, "redacted_", placeholder.repeat(2)].map(isPlaceholder),
  ).toEqual([true, false, false, false, false]);
  expect(mapPlaceholders(`${placeholder}, ${placeholder}`, (text) => String(text.length))).toBe(
    `${placeholder.length}, ${placeholder.length}`,
  );
});

test("a saved script is listed with its tools, and with its input where that is a schema", () => {
  const tools = [{ serverId: "s", toolName: "t", exportName: "t", integrity: "sha256-x" as const }];
  expect(toScriptInfo({ name: "n", tools })).toEqual({ name: "n", tools: ["s/t"] });
  expect(toScriptInfo({ name: "n", tools: [], description: "d", input: { type: "object" } })).toEqual({
    name: "n",
    description: "d",
    inputSchema: { type: "object" },
    tools: [],
  });
  expect(toScriptInfo({ name: "n", tools: [], input: true })).toEqual({ name: "n", tools: [] });
  const takes = (input?: JsonValue) => takesObject({ name: "n", tools, ...(input === undefined ? {} : { input }) });
  expect([takes(), takes(true), takes({}), takes({ type: "object" }), takes({ type: ["null", "object"] })]).toEqual(
    Array(5).fill(true),
  );
  expect([takes(false), takes({ type: "string" }), takes({ type: ["null"] })]).toEqual([false, false, false]);
});

test("a text is shortened to its first sentence, or to its beginning", () => {
  expect(shortenText(" a  b\nc ", 5)).toBe("a b c");
  expect(shortenText("First one. Second one.", 12)).toBe("First one.");
  expect(shortenText("Takes e.g. two things. More.", 24)).toBe("Takes e.g. two things.");
  expect(shortenText("Really? Yes, of course.", 10)).toBe("Really?");
  expect(shortenText("one two three four", 12)).toBe("one two…");
  expect(shortenText("abcdefghijklmnopqrstuvwxyzabcdef", 28)).toBe("abcdefghijklmnopqrstuvwxyza…");
  expect(shortenText("ab😀cd", 4)).toBe("ab…");
  expect(shortenText("abc", 0)).toBe("…");
  expect(shortenText(`${"x".repeat(4000)} hidden`, 5000)).toBe("x".repeat(4000));
});

test("type names come from export names, and each is given once", () => {
  expect(["create_entities", "$a$b", "x"].map(toTypeName)).toEqual(["CreateEntities", "AB", "X"]);
  const taken = new Set(["A"]);
  expect([claimName("A", taken), claimName("A", taken), claimName("B", taken), claimName("B", taken)]).toEqual([
    "A2",
    "A3",
    "B",
    "B2",
  ]);
});

test("a diagnostic is printed on one line each for its message and its hint", () => {
  const lines = printDiagnostic({
    severity: "error",
    code: "TYPE_ERROR",
    message: "a\nb",
    hint: "c\nd",
    path: "s.ts:1:2",
  });
  expect(lines).toEqual([
    expect.stringMatching(/^error: s\.ts:1:2 TYPE_ERROR: a\S* ?b$/),
    expect.stringMatching(/^hint: c\S* ?d$/),
  ]);
  expect(lines.join("")).not.toContain("\n");
  expect(printDiagnostic({ severity: "warning", code: "LOCK_DRIFT", message: "m" })).toEqual([
    "warning: LOCK_DRIFT: m",
  ]);
});

test("of many diagnostics the first fifty are shown, and how many more there are", () => {
  const many = (count: number): Diagnostic[] =>
    Array.from({ length: count }, (_, index) => ({ severity: "error", code: "TYPE_ERROR", message: `${index}` }));
  expect([capDiagnostics(many(50)).length, capDiagnostics(many(51)).length]).toEqual([50, 51]);
  const capped = capDiagnostics([...many(50), { severity: "warning", code: "LOCK_DRIFT", message: "x" }, ...many(2)]);
  expect(capped).toHaveLength(51);
  expect(capped[49]).toMatchObject({ message: "49" });
  expect(capped[50]).toMatchObject({ severity: "warning", code: "LOCK_DRIFT", message: "And 3 more findings." });
});

const SERVER = lockfileOf({
  s: [
    {
      name: "t",
      description: "d",
      annotations: { readOnlyHint: true },
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    },
    { name: "u" },
  ],
}).servers.get("s") as LockedServer;
const [TOOL, BARE] = SERVER.tools as [LockedTool, LockedTool];

test("a tool is described at three levels of detail, without what its server did not send", () => {
  const keysAt = (tool: LockedTool, detail: "name" | "description" | "full") =>
    Object.keys(toToolDefinition(tool, detail, () => "sig"));
  const names = ["toolName", "exportName"];
  expect(keysAt(TOOL, "name")).toEqual(names);
  expect(keysAt(TOOL, "description")).toEqual([...names, "description", "annotations", "signature"]);
  expect(keysAt(TOOL, "full")).toEqual([
    ...names,
    "description",
    "annotations",
    "signature",
    "inputSchema",
    "outputSchema",
  ]);
  expect(keysAt({ ...BARE, annotations: [] }, "description")).toEqual([...names, "signature"]);
  expect(keysAt({ ...BARE, inputSchema: undefined as never, outputSchema: true }, "full")).toEqual([
    ...names,
    "signature",
  ]);
});

test("a server is described by what it says of itself", () => {
  const capabilities = { tools: {}, prompts: {} };
  expect(toServerInfo({ ...SERVER, capabilities })).toEqual({
    serverId: "s",
    serverName: SERVER.name,
    capabilities: ["tools", "prompts"],
  });
  const described = (more: Partial<LockedServer>) => toServerDescription({ ...SERVER, ...more });
  expect(described({ serverInfo: { version: "1", description: "about" } })).toMatchObject({
    description: "about",
    version: "1",
  });
  expect(described({ serverInfo: { version: "1", description: "about" }, instructions: "do" })).toMatchObject({
    description: "do",
  });
  const bare = described({ serverInfo: { version: 1 as never, description: 2 as never } });
  expect([Object.hasOwn(bare, "version"), Object.hasOwn(bare, "description")]).toEqual([false, false]);
});

test("operations are counted by kind, and kinds that a server does not have are left out", () => {
  expect(countOperations(SERVER)).toBe("2 tools");
  expect(countOperations({ ...SERVER, tools: [TOOL], resources: [TOOL], prompts: [TOOL, BARE] })).toBe(
    "1 tool, 1 resource function, 2 prompts",
  );
  expect(countOperations({ ...SERVER, resources: [], prompts: [] })).toBe("2 tools");
});

test("a person is asked about a tool in words that its server cannot bend", () => {
  expect(claimsOf({})).toBe("says nothing of its effects");
  expect(claimsOf({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true })).toBe(
    "says that it only reads, can be repeated, reaches the outside world",
  );
  expect(claimsOf({ destructiveHint: true })).toBe("says that it may destroy");
  expect(describeToolToApprove({ serverId: "s", toolName: "a  <b>\n" })).toEqual([
    expect.stringMatching(/^- "s\/a \\u\{20\}\\u\{3c\}b\\u\{3e\}.*": says nothing of its effects$/),
  ]);
  const change = (more: object, channel?: "markdown") =>
    describeToolToApprove(
      {
        serverId: "s",
        toolName: "t",
        change: {
          kind: "changed",
          severity: "breaking",
          changes: [{ severity: "breaking", summary: "a *b*", pointer: "/x", ...more }],
        } as never,
      },
      channel,
    );
  const lines = change({ before: "was", after: "now" });
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/^ {2}changed \(.+\) since the lockfile was written; in quotes, the server's words:$/);
  // As it is where it is shown so, and without the signs of Markdown for a client.
  expect(lines[2]).toBe("  breaking: a *b* at /x");
  expect(change({ before: ["a"] }, "markdown").slice(2)).toEqual([
    "  breaking: a \\u{2a}b\\u{2a} at /x",
    '    before: \\u{5b}"a"\\u{5d}',
  ]);
  expect(change({ before: ["name"], after: ["name", "format"] }).slice(3)).toEqual([
    '    before: ["name"]',
    '    now: ["name","format"]',
  ]);
  const hostile = change({ summary: 'a\n- "s/other"', pointer: "/x\u200b\u2800  b" });
  expect(hostile.slice(2)).toEqual(['  breaking: a - "s/other" at /x\\u200b\\u{2800} \\u{20}b']);
  expect(lines.slice(3)).toEqual(['    before: "was"', '    now: "now"']);
  expect(change({ before: "", after: undefined })).toHaveLength(3);
  expect(change({ before: undefined, after: "" })).toHaveLength(3);
  expect(
    describeToolToApprove({
      serverId: "s",
      toolName: "t",
      change: { kind: "added", severity: "compatible", changes: [] } as never,
    })[1],
  ).toMatch(/^ {2}new since/);
});

test("a value is printed as an expression, on one line where that has room", () => {
  expect([[], {}, [1, "a"], { a: 1, "b-c": [null] }].map((value) => printValue(value))).toEqual([
    "[]",
    "{}",
    '[1, "a"]',
    '{ a: 1, "b-c": [null] }',
  ]);
  expect(printValue(JSON.parse('{"__proto__":1}') as JsonValue)).toBe('{ ["__proto__"]: 1 }');
  const [fits, isLong] = ["x".repeat(96), "x".repeat(97)];
  expect(printValue([fits])).toBe(`["${fits}"]`);
  expect(printValue([isLong])).toBe(`[\n  "${isLong}",\n]`);
  expect(printValue([fits], " ")).toBe(`[\n   "${fits}",\n ]`);
  expect(printValue({ a: { b: isLong }, c: 1 })).toBe(`{\n  a: {\n    b: "${isLong}",\n  },\n  c: 1,\n}`);
});
