import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { typeCommand } from "../../e2e/open-commands.ts";
import { makeProject } from "../../e2e/run-codemode.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

/** In every value and every key that is data, however it is written. */
const CANARY = /c4n4ry|481516/i;
const TOOLS = 24;

const text = fc.constantFrom(
  "c4n4ry",
  "the c4n4ry sings",
  "C4N4RY@example.org",
  '{"c4n4ry',
  "c4n4ry\nc4n4ry",
  "\u202ec4n4ry",
);
const dataKey = fc.constantFrom(
  "c4n4ry@example.org",
  "/src/c4n4ry.ts",
  "c4n4ry sings",
  "48151623",
  "c4n4ry-1.2.3",
  "c4n4ry:0",
  "Zoë C4n4ry",
);
/** Names that read as fields are data where there are very many of one kind. */
const people = fc
  .integer({ min: 20, max: 40 })
  .map((count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c4n4ry_${"x".repeat(at)}`, at])));
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.constantFrom<JsonValue>(481_516, 4.81516, null, true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("id", "name", "items", "author", "url"), tie("value"), { maxKeys: 4 }),
    fc.dictionary(dataKey, tie("value"), { minKeys: 1, maxKeys: 4 }),
    people,
    // JSON in a text, and that in a text again.
    tie("value").map((inner) => JSON.stringify(inner)),
  ),
})).value;

const block = (content: JsonValue) => ({
  type: "text",
  text: typeof content === "string" ? content : JSON.stringify(content),
});
const answer: fc.Arbitrary<JsonValue> = fc.oneof(
  value.map((inner) => ({ content: [block(inner)] })),
  fc
    .dictionary(fc.constantFrom("id", "items"), value)
    .map((inner) => ({ content: [block(inner)], structuredContent: inner })),
  fc.tuple(value, value).map(([one, other]) => ({ content: [block(one), block(other)], _meta: { c4n4ry: "c4n4ry" } })),
  value.map((inner) => ({ content: [block(inner)], isError: true })),
  fc.constant<JsonValue>({ content: [{ type: "c4n4ry", data: "c4n4ry" }] }),
);

async function readAll(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (file) => {
    const bytes = await readFile(file);
    return [file, (file.endsWith(".tgz") ? gunzipSync(bytes) : bytes).toString()] as const;
  });
  return new Map(await Promise.all(read));
}

test("no value and no key that is data is in any file", async () => {
  const seed = Date.now();
  const answers = fc.sample(answer, { seed, numRuns: TOOLS });
  const tools = answers.map((result, at) => ({
    name: `tool_${at}`,
    inputSchema: { type: "object" },
    ...(at === 0 ? { "x-error": { code: -32_000, message: "c4n4ry" } } : { "x-answer": result }),
  }));
  const calls = `import * as tools from "@codemode/servers/tracker";
    const ended = await Promise.allSettled(Object.values(tools).filter((tool) => typeof tool === "function").map((tool) => tool()));
    export default ended.filter(({ status }) => status === "fulfilled").length;`;
  const server = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { tracker: server }, learn: { observe: true } },
    "tools.json": tools,
    "calls.ts": calls,
  });
  const state = await makeTestFolder();
  const run = (...args: string[]) => typeCommand(args, { cwd, env: { XDG_STATE_HOME: state, CODEMODE_TRUST: "1" } });

  const ran = await run("run", "calls.ts");
  expect(ran.code, ran.stderr).toBe(0);
  expect(Number(ran.stdout)).toBeGreaterThan(TOOLS / 2);
  const left = await readAll(state);
  expect((await run("learn")).code).toBe(0);
  const packed = await run("pack", "--out", "packs");
  expect(packed.code, packed.stderr).toBe(0);

  const files = new Map([...left, ...(await readAll(state)), ...(await readAll(cwd))]);
  for (const own of ["tools.json", "calls.ts"]) files.delete(join(cwd, own));
  expect([...files.keys()].filter((file) => file.endsWith(".tgz"))).toHaveLength(1);
  expect(files.get(join(cwd, "codemode.lock.json"))).toContain("observed");
  const found = [...files].filter(([, content]) => CANARY.test(content)).map(([file]) => file);
  expect(found, `seed ${seed}`).toEqual([]);
});
