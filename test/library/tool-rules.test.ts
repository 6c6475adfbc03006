import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeMode, codeMode, type OwnServers } from "codemode";
import { openCodeMode, SHARED_PROCESS } from "./open-code-mode.ts";

const wipe = { description: "Deletes all", execute: () => "wiped" };
const WIPE = `import { wipe } from "@codemode/servers/shop"; export default await wipe();`;
const makeServer = () => {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool("wipe", { description: "Deletes all", inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "wiped" }],
  }));
  return server;
};

const NO_BOOLEANS: [shown: string, value: unknown][] = [
  ['"always"', "always"],
  ["1", 1],
  ["0", 0],
  ["null", null],
  ["an object", { type: "user" }],
  ["an object", Object(true)],
  ["a list", ["wipe"]],
  ["a promise", Promise.resolve(true)],
];

test.each(
  ["needsApproval", "requireApproval", "enabled"].flatMap((rule) =>
    NO_BOOLEANS.map((each) => [rule, ...each] as const),
  ),
)("`%s` that is %s is no rule, and refused with the line to write", async (rule, shown, value) => {
  const ruled = { [rule]: value };
  const refused = {
    ...{ code: "INVALID_OPTION", message: `tool "shop/wipe": \`${rule}\` is ${shown}` },
    hint: expect.stringContaining(`Write \`${rule}: `) as string,
  };
  await expect(openCodeMode({ shop: { wipe: { ...wipe, ...ruled } } })).rejects.toMatchObject(refused);
  if (rule === "requireApproval") return;
  await expect(openCodeMode({ shop: { server: makeServer, tools: { wipe: ruled } } })).rejects.toMatchObject(refused);
});

test.each([
  ["needApproval", "needsApproval", true],
  ["needsAproval", "needsApproval", true],
  ["needs_approval", "needsApproval", true],
  ["NeedsApproval", "needsApproval", () => true],
  ["requiresApproval", "needsApproval", true],
  ["requireAproval", "requireApproval", true],
  ["isEnabled", "enabled", () => false],
  ["enable", "enabled", false],
  ["enabledd", "enabled", false],
  ["disabled", "enabled", true],
  ["Undo", "undo", () => 1],
])("a tool with `%s` is refused: did you mean `%s`?", async (name, meant, value) => {
  await expect(openCodeMode({ shop: { wipe: { ...wipe, [name]: value } } })).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: `tool "shop/wipe": there is no rule \`${name}\`` },
    hint: `Did you mean \`${meant}\`?`,
  });
  const ofServer = openCodeMode({ shop: { server: makeServer, tools: { wipe: { [name]: value } } } });
  await expect(ofServer).rejects.toMatchObject({ message: `tool "shop/wipe": there is no rule \`${name}\`` });
});

test.each([
  ["undo", { ...wipe, undo: "yes" }, '`undo` is "yes"'],
  ["description alone", {}, "it has no function `execute`"],
])("a tool with a wrong %s is refused", async (_name, tool, problem) => {
  await expect(openCodeMode({ shop: { wipe: tool } })).rejects.toMatchObject({
    message: `tool "shop/wipe": ${problem}`,
  });
});

test.each([
  [{ tools: { wipe: true } }, 'tool "shop/wipe": its rules are true'],
  [{ tools: { wipe: () => true } }, 'tool "shop/wipe": its rules are a function'],
  [{ tools: { wipe: null } }, 'tool "shop/wipe": its rules are null'],
  [{ tools: [{ name: "wipe", needsApproval: true }] }, 'server "shop": `tools` is a list'],
  [{ tools: "wipe" }, 'server "shop": `tools` is "wipe"'],
  [{ rules: { wipe: { needsApproval: true } } }, 'server "shop": there is no `rules` beside `server`'],
  [{ tool: {} }, 'server "shop": there is no `tool` beside `server`'],
  [{ needsApproval: true, tools: {} }, 'server "shop": there is no `needsApproval` beside `server`'],
])("rules of a server as %j are refused", async (beside, message) => {
  await expect(openCodeMode({ shop: { server: makeServer, ...beside } })).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message },
    hint: expect.stringContaining("shop: { server, tools: { NAME: { needsApproval: true } } }") as string,
  });
});

/** Tools that run, with rules and with members of the author's own, which are no rules; and whether a person is asked. */
const TAKEN: [rules: object, isAsked: boolean][] = [
  [{ tags: ["a"], needs: 1, enabledSince: 2020, undone: 0, approve: "x" }, false],
  [{ enabled: true }, false],
  [{ needsApproval: false, requireApproval: true }, true],
  [{ needsApproval: () => false, requireApproval: true }, true],
  [{ needsApproval: () => false, requireApproval: async () => undefined }, true],
  [{ needsApproval: true, requireApproval: false }, true],
  [{ needsApproval: async () => false, requireApproval: () => false }, false],
  [{ needsApproval: false, requireApproval: undefined }, false],
];

describe("of tools that are taken", () => {
  let code: CodeMode;
  beforeAll(async () => {
    const off = { enabled: false };
    const servers = {
      shop: Object.fromEntries(TAKEN.map(([rules], index) => [`wipe_${index}`, { ...wipe, ...rules }])),
      closed: { wipe: { ...wipe, ...off } },
      served: { server: makeServer, tools: { wipe: off } },
    };
    code = await codeMode(servers as OwnServers, SHARED_PROCESS);
  });
  afterAll(() => code.close());

  test.each(TAKEN.map((each, index) => [...each, index] as const))(
    "either of two approvals is enough to be asked about, and other members are none: %j",
    async (_rules, isAsked, index) => {
      const asked: unknown[] = [];
      const script = WIPE.replaceAll("wipe", `wipe_${index}`);
      const { result } = await code.run({ code: script }, { approve: ({ call }) => asked.push(call?.number) > 0 });
      expect([result, asked]).toEqual(["wiped", isAsked ? [1] : []]);
    },
  );

  test.each(["closed", "served"])("`enabled: false` takes a tool away from everyone: %s", async (server) => {
    expect(code.tool.description).not.toMatch(/wipe\(/);
    const { diagnostics } = await code.run({ code: WIPE.replace("shop", server) });
    expect(diagnostics[0]?.message).toMatch(/no (?:tool "wipe"|server ")/);
  });
});

test.each([
  [{ deny: ["shp/*"] }, '"shp/*" in policy.deny'],
  [{ askEach: ["shop/wip"] }, '"shop/wip" in policy.askEach (did you mean "shop/wipe"?)'],
  [{ allow: ["shop/*"], deny: ["shop/wipe_all"] }, '"shop/wipe_all" in policy.deny (did you mean "shop/wipe"?)'],
])("a policy %j that names what is not there is refused", async (policy, named) => {
  await expect(openCodeMode({ shop: { wipe } }, { policy })).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: `policy: nothing matches ${named}` },
  });
});

test("a policy that names tools, servers, claims and tools that may come is taken", async () => {
  const policy = { deny: ["*/delete_*", "shop/@idempotent"], ask: ["shop/w*"], allow: ["*"] };
  expect((await openCodeMode({ shop: { wipe } }, { policy })).tool.description).toContain("wipe");
});

test.each([
  ["approve", true, "a function"],
  ["ask", "yes", "a function"],
  ["hideErrors", true, "a function"],
  ["frozen", "yes", "true or false"],
  ["trust", 1, "true or false"],
  ["lock", true, "a text"],
  ["signal", { abort: true }, "an `AbortSignal`"],
  ["drift", "refuze", "review, warn, refuse, refresh"],
  ["isolation", "proces", "process, realm, compartment"],
])("an option `%s` of %j is refused", async (name, value, wanted) => {
  await expect(openCodeMode({ shop: { wipe } }, { [name]: value } as object)).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: expect.stringMatching(`^codeMode: \`${name}\` is`) as string },
    hint: expect.stringContaining(wanted) as string,
  });
});
