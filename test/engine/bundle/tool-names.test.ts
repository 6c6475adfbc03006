import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleOf, makeBundleProject, type BundleProject } from "./bundle-project.ts";
import { startCompartments, type CompartmentRunner } from "./compartment-runner.ts";

/** Names that mean something to the language, to the runtime, to the bundler or to generated modules. */
const NAMES = [
  ..."Array BigInt Date Error Function Infinity Intl JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String".split(
    " ",
  ),
  ..."Symbol TypeError WeakMap console globalThis setTimeout parseInt isNaN".split(" "),
  ..."arguments async await default enum eval let of static then undefined yield".split(" "),
  ..."__proto__ constructor hasOwnProperty prototype toString valueOf".split(" "),
  ..."callTool input tool validateInput validate0 linked result script index".split(" "),
  ..."__codemode_call__ __codemode_result__ __codemode_runtime__ __codemode_tools__ linked$JSON".split(" "),
];

const TEXT_INPUT = {
  type: "object",
  properties: { text: { type: "string", enum: ["<!--", "a"] } },
  required: ["text"],
};

let project: BundleProject;
let compartments: CompartmentRunner;
/** By tool name. */
let exportNames: Map<string, string>;

beforeAll(async () => {
  [project, compartments] = await Promise.all([
    makeBundleProject("", {
      odd: NAMES.map((name) => ({ name, inputSchema: TEXT_INPUT })),
      plain: [{ name: "echo", inputSchema: TEXT_INPUT }],
    }),
    startCompartments(),
  ]);
  const tools = project.lockfile.servers.get("odd")?.tools ?? [];
  exportNames = new Map(tools.map(({ name, exportName }) => [name, exportName]));
});
afterAll(() => project.remove());

async function resultOf(code: string): Promise<unknown> {
  const answer = await compartments.run(bundleOf(await project.bundle(code, "script.js")).code);
  if (answer.error !== undefined) throw new Error(answer.stack);
  return answer.result;
}

/** What ordinary code does with globals, and what the bindings of another server do. */
const REST = `import { echo } from "@codemode/servers/plain";
const fails = await echo({ text: 1 }).catch((error) => error.name);
const rest = [await echo({ text: "a" }), fails, JSON.stringify([...new Set([1]), String(2)]), Array.isArray([]), Object.keys({ a: 1 })];`;
const REST_RESULT = ['echo:{"text":"a"}', "SchemaValidationError", '[1,"2"]', true, ["a"]];

describe("a name of a tool is data: it can be called, and changes the meaning of nothing else", () => {
  test("all, imported as other names", async () => {
    const names = [...exportNames.values()].map((name, index) => `${name} as call${index}`);
    const calls = NAMES.map((_name, index) => `await call${index}({ text: "a" })`);
    const code = `import { ${names.join(", ")} } from "@codemode/servers/odd";\n${REST}
export default [[${calls.join(", ")}], ...rest];`;
    expect(await resultOf(code)).toEqual([
      [...exportNames.keys()].map((name) => `${name}:{"text":"a"}`),
      ...REST_RESULT,
    ]);
  });

  test("all, as members of a namespace", async () => {
    const code = `import * as odd from "@codemode/servers/odd";\n${REST}
const said = [];
for (const name of ${JSON.stringify([...exportNames.values()])}) said.push(await odd[name]({ text: "a" }));
export default [said, ...rest, Object.keys(odd).length, JSON.parse("{}") instanceof Object];`;
    expect(await resultOf(code)).toEqual([
      [...exportNames.keys()].map((name) => `${name}:{"text":"a"}`),
      ...REST_RESULT,
      exportNames.size + 1,
      true,
    ]);
  });

  test("all, of a dynamic import", async () => {
    const code = `const odd = await import("@codemode/servers/odd");\n${REST}
export default [await odd["JSON"]({ text: "a" }), await odd.__proto__({ text: "a" }), ...rest];`;
    expect(await resultOf(code)).toEqual(['JSON:{"text":"a"}', '__proto__:{"text":"a"}', ...REST_RESULT]);
  });

  test("under their own names, where a script needs no such global", async () => {
    const code = `import { JSON, Set, Error } from "@codemode/servers/odd"; import { echo } from "@codemode/servers/plain";
export default [await JSON({ text: "a" }), await Set({ text: "a" }), await Error({ text: "<!--" }), await echo({ text: 1 }).catch(String)];`;
    expect(await resultOf(code)).toEqual([
      'JSON:{"text":"a"}',
      'Set:{"text":"a"}',
      'Error:{"text":"<!--"}',
      expect.stringMatching(/^SchemaValidationError: echo: "\/text" should be/),
    ]);
  });
});

test.each(["__codemode_runtime__", "__codemode_tools__", "JSON", "Object", "globalThis", "Promise", "linked$echo"])(
  "a script may call a variable %s",
  async (name) => {
    const code = `import { echo } from "@codemode/servers/plain"; import { ToolCallError } from "@codemode/errors";
import * as all from "@codemode/servers/plain";
const ${name} = { said: typeof await echo({ text: "a" }) };
export default [${name}, ToolCallError.name, typeof all.echo, /<!--/.source];`;
    expect(await resultOf(code)).toEqual([{ said: "string" }, "ToolCallError", "function", "<!--"]);
  },
);

test("a class or function of a script keeps its name beside a tool of that name", async () => {
  const code = `import { echo as say } from "@codemode/servers/plain";
class echo {} function JSON() {}
export default [echo.name, JSON.name, await say({ text: "a" })];`;
  expect(await resultOf(code)).toEqual(["echo", "JSON", 'echo:{"text":"a"}']);
});
