import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodeMode, codeMode, defineTool, type OwnServers } from "codemode";
import { openCodeMode, SHARED_PROCESS } from "./open-code-mode.ts";
import { makeTestFolder } from "../make-test-folder.ts";

type Context = string | { name?: string; role?: string; db?: () => void } | undefined;

const words = "a long description that takes room in the list of all signatures ".repeat(3);
const padding = Object.fromEntries(
  Array.from({ length: 30 }, (_, number) => [
    `pad_${number}`,
    { description: `Pads ${number} with ${words}`, inputSchema: { type: "object" }, execute: () => number },
  ]),
);
const zebra = defineTool<Context>({
  description: "Finds a zebra",
  enabled: (context) => context !== "guest",
  execute: () => "zebra",
});
const long = defineTool<Context>({
  description: "Gives much",
  execute: (_input, { context }) => Array.from({ length: 3_000 }, (_, at) => `${JSON.stringify(context)}-${at}`),
});

let code: CodeMode<Context>;
beforeAll(async () => {
  code = await codeMode<Context>({ zoo: { ...padding, zebra, long } } as OwnServers<Context>, SHARED_PROCESS);
});
afterAll(() => code.close());

/** Every way by which a program or an agent learns of tools, as a text. */
const WAYS: { [way: string]: (context: Context) => Promise<string> } = {
  toolFor: async (context) => {
    const few = await openCodeMode<Context>({ zoo: { zebra } });
    return (await few.toolFor(context)).description;
  },
  "toolsFor, search": async (context) => (await code.toolsFor(context)).search?.execute({ query: "zebra" }) ?? "",
  "search with a framework's context": async (context) =>
    code.tools.search?.execute({ query: "zebra" }, { experimental_context: context }) ?? "",
  "searchTools of a script": async (context) => {
    const script = `import { searchTools } from "@codemode/discovery"; export default (await searchTools("zebra")).results;`;
    return JSON.stringify((await code.tool.call({ code: script }, { context })).result);
  },
  declarations: (context) => code.declarations(context),
  writeTypes: async (context) => {
    const folder = join(await makeTestFolder(), "types");
    await code.writeTypes(folder, context);
    return readFile(join(folder, "zoo/index.d.ts"), "utf8");
  },
  check: async (context) => {
    const script = `import { zebra } from "@codemode/servers/zoo"; export default await zebra();`;
    return (await code.check({ code: script }, { context })).ok ? "zebra" : "";
  },
  "a call": async (context) => String(await code.callTool("zoo/zebra", {}, { context }).catch(() => "")),
};

test.each(Object.keys(WAYS))("%s knows the context: what guards hide is not in it", async (way) => {
  const found = await Promise.all(["member", "guest"].map(async (context) => WAYS[way]?.(context)));
  expect(found.map((text) => text?.includes("zebra"))).toEqual([true, false]);
});

/** Runs a script that gives much, and returns the id under which all of it is kept. */
async function keep(context: Context, of = code): Promise<string> {
  const script = `import { long } from "@codemode/servers/zoo"; export default await long();`;
  const answer = await of.tool.call({ code: script }, { context });
  return /@codemode\/results\/([\w-]+)/.exec(JSON.stringify(answer))?.[1] ?? "";
}
async function read(id: string, context: Context, of = code): Promise<unknown> {
  const script = `import kept from "@codemode/results/${id}"; export default kept[0];`;
  return (await of.tool.call({ code: script }, { context })).result;
}
const FIRST = (context: Context): string => `${JSON.stringify(context)}-0`;
const db = (): void => undefined;

test.each<[name: string, own: Context, same: Context, other: Context]>([
  ["a text", "alice", "alice", "bob"],
  ["an object", { name: "ada" }, { name: "ada" }, { name: "bob" }],
  ["none", undefined, undefined, "bob"],
])("a long result belongs to the person of its context: %s", async (_name, own, same, other) => {
  const id = await keep(own);
  expect(await read(id, same)).toBe(FIRST(own));
  expect(await read(id, other)).toBeNull();
  if (own !== undefined) expect(await read(id, undefined)).toBeNull();
});

test("of a context that JSON cannot hold the object is the person, unless `userOf` names it", async () => {
  const mine = { name: "ada", db };
  const id = await keep(mine);
  expect(await read(id, mine)).toBe(FIRST(mine));
  expect(await read(id, { name: "ada", db })).toBeNull();
  const named = await openCodeMode<Context>({ zoo: { long } }, { userOf: (context) => Object(context).name as string });
  const own = await keep({ name: "ada", db }, named);
  expect(await read(own, { name: "ada", role: "other", db }, named)).toBe(FIRST({ name: "ada" }));
  expect(await read(own, { name: "bob", db }, named)).toBeNull();
});

test("one user's results push out no other's", async () => {
  const id = await keep("alice");
  for (let number = 0; number < 17; number += 1) await keep("mallory");
  expect(await read(id, "alice")).toBe(FIRST("alice"));
});
