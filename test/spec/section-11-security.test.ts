import { describe, expect, test } from "vitest";
import { serveProject, text } from "./serve-project.ts";

const SECRET = "only-the-host-knows";
const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toJSON":"x","then":"y"}';

const { run, resultOf } = serveProject(() => ({
  servers: {
    tools: [
      { name: "echo", inputSchema: { type: "object" }, "x-answer": text("echo") },
      {
        name: "hostile",
        inputSchema: {},
        description: "*/ globalThis.polluted = 1; /* ${globalThis.polluted = 1} `",
        "x-answer": { content: [], structuredContent: JSON.parse(hostile) as unknown },
      },
      // The word keeps its module from being linked into the text.
      {
        name: "awaits",
        inputSchema: { type: "object", properties: { a: { const: "await it" } } },
        "x-answer": text("awaits"),
      },
      { name: "noop", inputSchema: {}, "x-env": { TOKEN: SECRET } },
      { name: '"];globalThis.polluted=1;//', inputSchema: {} },
    ],
  },
  env: { TOKEN: SECRET },
}));

describe("what a script takes too much of [11/resources]", () => {
  test.each([
    ["time", "for (;;);", { timeoutMs: 400 }],
    ["memory", "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));", { maxMemoryBytes: 96 * 1024 * 1024 }],
    [
      "calls",
      'import { echo } from "@codemode/servers/tools"; for (;;) await echo({}).catch((error) => { if (error.name !== "ToolCallError") throw error; });',
      { maxToolCalls: 5 },
    ],
  ])("%s ends it, and the next run works", async (_name, code, limits) => {
    expect(await run(code, { limits })).toMatchObject({
      result: null,
      diagnostics: [{ errorClass: "SandboxLimitError" }],
    });
    expect(await resultOf("export default 1;")).toBe(1);
  });
});

test("prototypes cannot be polluted, neither by code nor by answers [11/pollution] [11/untrusted]", async () => {
  const code = `import * as tools from "@codemode/servers/tools";
for (const target of [Object.prototype, Array.prototype, Function.prototype, Promise.prototype, Error.prototype]) {
  try { target.polluted = 1; } catch {}
  try { Object.defineProperty(target, "polluted", { value: 1 }); } catch {}
}
const answer = await tools.hostile();
const names = tools.__meta__.tools.map(({ exportName }) => exportName);
export default [({}).polluted, [].polluted, answer.polluted, globalThis.polluted, typeof answer, names.length].map(String);`;
  expect(await resultOf(code)).toEqual(["undefined", "undefined", "undefined", "undefined", "object", "5"]);
});

test("nothing of the host's process can be reached from what a script is given [11/pollution]", async () => {
  const code = `import * as tools from "@codemode/servers/tools";
import { CodemodeError } from "@codemode/errors";
const reached = [];
const pending = tools.echo({});
for (const given of [tools.echo, pending, CodemodeError, console.log, setTimeout, new URL("a:b"), TextEncoder]) {
  const root = (() => { try { return given.constructor.constructor("return globalThis")(); } catch { return undefined; } })();
  if (root !== undefined) reached.push(typeof root.process);
}
await pending;
export default reached;`;
  expect(await resultOf(code)).toEqual([]);
});

test("bindings cannot be tampered with [11/bindings]", async () => {
  const code = `import * as tools from "@codemode/servers/tools";
import * as errors from "@codemode/errors";
const before = tools.echo;
const any = [tools, errors, tools.__meta__, tools.__meta__.tools, errors.CodemodeError, errors.CodemodeError.prototype];
for (const target of any) {
  try { target.echo = () => "fake"; } catch {}
  try { Object.defineProperty(target, "echo", { value: () => "fake" }); } catch {}
  try { delete target.echo; } catch {}
  try { Object.setPrototypeOf(target, { echo: () => "fake" }); } catch {}
}
export default [tools.echo === before, await tools.echo({})];`;
  const { result, diagnostics } = await run(code);
  // A static change of a module may be refused before anything runs; one that runs must be without effect.
  if (diagnostics.length === 0) expect(result).toEqual([true, "echo"]);
  else expect(result).toBe(null);
});

/** What a script can change of the values that it holds: none of these may stay. */
const CHANGED = `
const changed = [];
const seen = new Set();
const look = (place, value) => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  if (!Object.isFrozen(value)) changed.push(place);
  for (const key of Reflect.ownKeys(value)) look(place + "." + String(key), value[key]);
};
for (const [place, value] of Object.entries(held)) look(place, value);
export default changed;`;

test.each([
  [
    "imported by name, in a text that is linked",
    `import { echo, awaits } from "@codemode/servers/tools";
import { CodemodeError, ToolCallError, SchemaValidationError } from "@codemode/errors";
import { searchTools, listServers } from "@codemode/discovery";
import { contentOf } from "@codemode/results";
const held = { echo, awaits, CodemodeError, ToolCallError, SchemaValidationError, searchTools, listServers, contentOf };`,
  ],
  [
    "members of namespaces, in a program that is bundled",
    `import * as tools from "@codemode/servers/tools";
import * as errors from "@codemode/errors";
import * as discovery from "@codemode/discovery";
import * as results from "@codemode/results";
const held = { ...tools, ...errors, ...discovery, ...results };`,
  ],
  [
    "imported by name, in a program that is bundled",
    `import { echo, awaits, __meta__ as meta } from "@codemode/servers/tools";
import { CodemodeError } from "@codemode/errors";
const held = { echo, awaits, meta, CodemodeError };`,
  ],
])("what modules give is frozen: %s [11/bindings]", async (_name, code) => {
  expect(await run(code + CHANGED)).toMatchObject({ diagnostics: [], result: [] });
});

test("scripts extend error classes as before [11/bindings]", async () => {
  const code = `import { CodemodeError, ToolCallError } from "@codemode/errors";
class Own extends ToolCallError { name = "Own"; extra = 1; toString() { return "own"; } }
Own.registered = true;
const error = new Own("m", { hint: "h", serverId: "s", toolName: "t" });
error.more = 2;
error.message = "changed";
export default [error instanceof CodemodeError, error.extra, error.more, error.message, String(error), Own.registered];`;
  expect(await resultOf(code)).toEqual([true, 1, 2, "changed", "own", true]);
});

test("no code is made of strings [11/no-code]", async () => {
  const code = `const attempts = [() => (0, eval)("1"), () => new Function("return 1")(), () => (async () => {}).constructor("return 1")];
export default attempts.map((attempt) => { try { attempt(); return "made"; } catch { return "refused"; } });`;
  expect(await resultOf(code)).toEqual(["refused", "refused", "refused"]);
});

test("credentials are used by the host, and seen by no script [11/credentials]", async () => {
  const code = `import { noop } from "@codemode/servers/tools";
import * as discovery from "@codemode/discovery";
const described = [await discovery.listServers(), await discovery.describeServer("tools"), await discovery.listTools("tools", { detail: "full" })];
export default [await noop({}), JSON.stringify(described), Object.getOwnPropertyNames(globalThis).join()];`;
  const [used, ...seen] = (await resultOf(code)) as string[];
  expect(used).toBe("true");
  expect(seen.join()).not.toContain(SECRET);
});
