import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { codeMode, defineTool, type CodeMode, type OwnTool } from "codemode";
import { SHARED_PROCESS } from "./open-code-mode.ts";

// What functions of a program give that JSON does not have: bytes, thrown objects, and schemas with types of JavaScript.

const throwing: Record<string, () => unknown> = {
  database_error: () => ({ message: "deadlock detected", code: "40P01", details: null }),
  object_without_message: () => ({ status: 409, reason: "taken" }),
  caused: () => new Error("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), {}) }),
  caused_by_several: () =>
    new TypeError("fetch failed", {
      cause: Object.assign(new AggregateError([new Error("a")]), { code: "ECONNREFUSED" }),
    }),
  repeated_cause: () => new Error("query failed: timeout", { cause: new Error("timeout") }),
  nameless: () => new RangeError(),
  text: () => "just text",
  nothing: () => null,
  circular: () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    return circle;
  },
};

const returning: Record<string, () => unknown> = {
  bytes: () => new Uint8Array([1, 2, 3]),
  buffer: () => ({ file: { data: Buffer.from("hello") } }),
  map: () => new Map([["a", 1]]),
};

const mapTools = (all: Record<string, () => unknown>, make: (of: () => unknown) => object) =>
  Object.fromEntries(Object.entries(all).map(([name, of]) => [name, make(of) as OwnTool]));

let code: CodeMode;
beforeAll(async () => {
  const outputSchema = z.object({ total: z.number() });
  code = await codeMode(
    {
      fails: mapTools(throwing, (make) => ({
        execute() {
          throw make();
        },
      })),
      gives: {
        ...mapTools(returning, (execute) => ({ execute })),
        out_of_schema: { outputSchema, execute: () => ({ total: "many" }) },
      },
      takes: { put: { inputSchema: z.object({ data: z.any() }), execute: ({ data }: { data: unknown }) => data } },
    },
    SHARED_PROCESS,
  );
});
afterAll(() => code.close());

const run = (script: string, input: unknown = null) => code.run({ code: script }, { input: input as never });

describe("what a function throws reaches the script in words", () => {
  test.each([
    ["database_error", "deadlock detected"],
    ["object_without_message", '{"status":409,"reason":"taken"}'],
    ["caused", "fetch failed: connect ECONNREFUSED 127.0.0.1:9"],
    ["caused_by_several", "fetch failed: ECONNREFUSED"],
    ["repeated_cause", "query failed: timeout"],
    ["nameless", "RangeError"],
    ["text", "just text"],
    ["nothing", "null"],
    ["circular", "[object Object]"],
  ])("%s", async (name, message) => {
    const { result } = await run(
      `import { ${name} } from "@codemode/servers/fails"; export default await ${name}().catch((error) => error.message);`,
    );
    expect(result).toBe(message);
  });
});

describe("bytes and maps are refused in all four directions", () => {
  test.each([
    ["bytes", "The result is a Uint8Array, which cannot be written as JSON."],
    ["buffer", '"/file/data" of the result is a Uint8Array, which cannot be written as JSON.'],
    ["map", "The result is a Map, which cannot be written as JSON."],
    ["out_of_schema", "The output does not match its schema"],
  ])("as the result of a tool, which is at fault: %s", async (name, message) => {
    const { result } = await run(
      `import { ${name} } from "@codemode/servers/gives"; export default await ${name}().catch(({ message, hint }) => [message, hint]);`,
    );
    const [said, hint] = result as [string, string];
    expect(said).toContain(message);
    expect(said).toContain("The tool is at fault, not its input");
    expect(hint).not.toContain("change the input");
  });

  test("as an argument of a script", async () => {
    const { diagnostics } = await run(
      'import { put } from "@codemode/servers/takes"; await put({ data: new Uint8Array([7, 8]) });',
    );
    expect(diagnostics).toMatchObject([
      {
        message: expect.stringContaining('"/data" is a Uint8Array'),
        hint: "Pass base64 text, or an array of numbers.",
      },
    ]);
  });

  test.each([
    ["new Uint8Array([1, 2])", "it is a Uint8Array"],
    ["{ list: [new Int16Array(1)] }", "/list/0 is an Int16Array"],
    ["{ a: new ArrayBuffer(2) }", "/a is an ArrayBuffer"],
    ["[new DataView(new ArrayBuffer(2))]", "/0 is a DataView"],
  ])("as the result of a script: %s", async (value, message) => {
    const { diagnostics } = await run(`export default ${value};`);
    expect(diagnostics).toMatchObject([
      { code: "RESULT_UNSERIALIZABLE", message: `The result cannot be sent as JSON: ${message}` },
    ]);
    expect(diagnostics[0]?.hint).toContain("Return base64 text");
  });

  test("as the input of a run, and of a single call", async () => {
    const refused = {
      code: "INVALID_OPTION",
      message: expect.stringContaining("a Uint8Array, which cannot be written as JSON"),
    };
    await expect(run("export default 1;", { file: Buffer.from("a") })).rejects.toMatchObject(refused);
    await expect(code.callTool("takes/put", { data: new Uint8Array(1) } as never)).rejects.toMatchObject(refused);
  });
});

describe("a schema that JSON cannot have is refused with its tool, its side and the line to write", () => {
  class Money {
    readonly cents = 0;
  }
  test.each<[string, "inputSchema" | "outputSchema", unknown, string]>([
    ["a date", "inputSchema", z.object({ d: z.date() }), "Write `z.iso.datetime()`, and `new Date(value)`"],
    ["a date", "outputSchema", z.object({ d: z.date() }), "return `date.toISOString()`"],
    ["a bigint", "inputSchema", z.object({ d: z.bigint() }), "`BigInt(value)`"],
    ["a map", "inputSchema", z.object({ d: z.map(z.string(), z.string()) }), "z.record(z.string(), …)"],
    ["a set", "outputSchema", z.object({ d: z.set(z.string()) }), "return `[...set]`"],
    ["a transform", "outputSchema", z.object({ d: z.string().transform((s) => s.length) }), ".pipe(z.number())"],
    ["a class", "inputSchema", z.object({ d: z.instanceof(Money) }), "Write a type that JSON has"],
    ["a class for a schema", "inputSchema", Money, "Write `z.object({ … })`"],
    [
      "a function that throws",
      "inputSchema",
      () => {
        throw new Error("no");
      },
      "Write a type that JSON has",
    ],
  ])("%s as %s", async (_title, side, schema, line) => {
    const opened = codeMode({ cal: { add_event: { execute: () => 1, [side]: schema } } });
    await expect(opened).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`tool "cal/add_event", \`${side}\``),
      hint: expect.stringContaining(line),
    });
  });
});

test("a byte order mark before the code that an agent sends is no part of it", async () => {
  const mark = "\uFEFF";
  for (const script of ["export default 5", 'import "@codemode/servers/takes";\nexport default 5;', "return 5"])
    expect(await code.tool.call({ code: `${mark}${script}` })).toMatchObject({ result: 5, diagnostics: [] });
});

describe("a value that is lost by a name that no type has is a warning, also where only failures are checked", () => {
  let users: CodeMode;
  beforeAll(async () => {
    const outputSchema = z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()) });
    const get_user = defineTool({
      ...{ inputSchema: z.object({ id: z.string() }), outputSchema },
      execute: ({ id }) => ({ id, name: "Ada", tags: [] }),
    });
    users = await codeMode({ crm: { get_user, note: { execute: () => "text" } } }, SHARED_PROCESS);
  });
  afterAll(() => users.close());

  const LONGEST_START = { timeout: 20_000 };
  const IMPORT = 'import { get_user } from "@codemode/servers/crm";\n';
  test.each([
    ["the whole result", 'export default (await get_user({ id: "1" })).nmae;', "2:46"],
    ["a member of it", 'const user = await get_user({ id: "1" });\nexport default { name: user.nmae };', "3:29"],
    ["a part of a text", 'const user = await get_user({ id: "1" });\nreturn `Hello ${user.nmae}`;', "3:22"],
    [
      "what decides about an early return",
      'const user = await get_user({ id: "1" });\nif (user.nmae) return 1;\nreturn user.name;',
      "3:10",
    ],
  ])("%s", async (_title, script, place) => {
    // A run waits a second for its checker, which starts with the first one.
    const diagnostics = await vi.waitFor(async () => {
      const found = (await users.run({ code: IMPORT + script })).diagnostics;
      expect(found).not.toEqual([]);
      return found;
    }, LONGEST_START);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "TYPE_ERROR", path: `script.ts:${place}` }]);
    expect(diagnostics[0]?.hint).toContain("name");
  });

  test.each([
    ["a right name", `${IMPORT}export default (await get_user({ id: "1" })).name;`],
    [
      "a name of its own",
      `${IMPORT}const row = { total: 1, user: await get_user({ id: "1" }) };\nexport default row.total;`,
    ],
    ["nothing on purpose", "export default null;"],
    [
      "a tool without a type",
      'import { note } from "@codemode/servers/crm";\nexport default (await note()).anything ?? 1;',
    ],
  ])("nothing is said of %s", async (_title, script) => {
    expect((await users.run({ code: script })).diagnostics).toEqual([]);
  });
});
