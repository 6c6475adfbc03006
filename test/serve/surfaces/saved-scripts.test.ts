import { expect, test } from "vitest";
import { present } from "../../../serve/present.ts";
import type { SavedScript } from "../../../schemas/run/saved-script.ts";
import { toNamedScripts } from "../../../schemas/config/named-scripts.ts";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import { countTokens } from "./count-tokens.ts";
import { manyServers, ownLockfile, plainCall, viewOf } from "./view-of.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

function scriptsOf(count: number, description?: string): SavedScript[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `script-number-${index}`,
    tools: [],
    ...(description === undefined ? {} : { description }),
  }));
}

const TEXT = "Collects the tickets of the week. Then it sorts them by their owners.\nAnd more.";

test.each([0, 1, 3, 30, 1000])("with %i saved scripts the list of tools stays under 1,000 tokens", async (count) => {
  const { view } = viewOf(manyServers(70), scriptsOf(count, TEXT));
  const tools = await present(view, toServeSettings()).surface.listTools();
  expect(countTokens({ tools })).toBeLessThanOrEqual(1000);
});

test("scripts are named first, then described while there is room, then counted", async () => {
  const describe = async (scripts: SavedScript[]): Promise<string> => {
    const [tool] = await present(viewOf(ownLockfile, scripts).view, toServeSettings()).surface.listTools();
    return /^Saved scripts.*$/m.exec(String(tool?.["description"]))?.[0] ?? "";
  };
  expect(await describe([])).toBe("");
  expect(await describe(scriptsOf(2, TEXT))).toContain(
    ": script-number-0 (Collects the tickets of the week.), script-number-1 (Collects the tickets of the week.). ",
  );
  expect(await describe(scriptsOf(1000))).toMatch(/: script-number-0, script-number-1, .*, \d+ more\. /);
  const [hidden] = scriptsOf(1, "a\nb\u202e\u001b[2J");
  expect(await describe([hidden as SavedScript])).toContain("(a b\\u202e\\u001b[2J)");
});

test("without saved scripts, the run tool says nothing of them", async () => {
  const [tool] = await present(viewOf(ownLockfile).view, toServeSettings()).surface.listTools();
  expect(JSON.stringify(tool)).not.toMatch(/saved|listScripts/i);
  expect(tool).toMatchObject({ inputSchema: { properties: { code: {} } } });
});

const named = toNamedScripts({
  nightly: { file: "a.ts", tool: true },
  ["n".repeat(64)]: { file: "b.ts", tool: true },
  plain: "c.ts",
});
const saved: SavedScript[] = [...named.keys()].map((name) => ({ name, tools: [] }));

test("tools of scripts have names that every client accepts, and no server can take one", async () => {
  const lockfile = lockfileOf({ script: [{ name: "nightly", inputSchema: { type: "object" } }] });
  const settings = toServeSettings({ direct: ["script/*"] });
  const { view, performed } = viewOf(lockfile, saved);
  const { surface } = present(view, settings, named.values());
  const names = (await surface.listTools()).map(({ name }) => String(name));
  expect(names).toEqual([
    "codemode.run",
    "script_nightly2",
    "script_nightly",
    expect.stringMatching(/^script_n+_\w{8}$/),
  ]);
  expect(names.filter((name) => name.length > 64)).toEqual([]);
  await surface.callTool("script_nightly", { a: 1 }, plainCall);
  await surface.callTool("script_nightly2", { a: 2 }, plainCall);
  expect(performed.scripts).toMatchObject([{ script: "nightly", input: { a: 1 } }]);
  expect(performed.calls).toMatchObject([{ serverId: "script", toolName: "nightly", input: { a: 2 } }]);
  expect(surface.callTool("script_plain", {}, plainCall)).toBeUndefined();
});

test("a script whose input is no object is no tool", async () => {
  const inputs = [{ type: "string" }, false, true, {}, { type: ["object", "null"] }];
  const scripts = inputs.map((input, index) => ({ name: `s${index}`, tools: [], input }));
  const entries = Object.fromEntries(scripts.map(({ name }) => [name, { file: "a.ts", tool: true }]));
  const { surface } = present(viewOf(ownLockfile, scripts).view, toServeSettings(), toNamedScripts(entries).values());
  const [, ...tools] = await surface.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["script_s2", "script_s3", "script_s4"]);
  for (const tool of tools) expect(tool).toMatchObject({ inputSchema: { type: "object" } });
});

const malformed: [unknown, string][] = [
  [{ script: "a", code: "1" }, 'The arguments hold both "code" and "script".'],
  [{ script: 1 }, 'The argument "script" must be a string.'],
];
test.each(malformed)("the arguments %j are refused", async (input, want) => {
  const { view, performed } = viewOf(ownLockfile, saved);
  const result = await present(view, toServeSettings()).surface.callTool("run", input as never, plainCall);
  expect(result).toMatchObject({ isError: true, structuredContent: { diagnostics: [{ message: want }] } });
  expect(performed.scripts).toEqual([]);
});

test("code takes an input as a saved script does, also if there are no saved scripts", async () => {
  for (const scripts of [saved, []]) {
    const { view, performed } = viewOf(ownLockfile, scripts);
    const { surface } = present(view, toServeSettings());
    expect(await surface.listTools()).toMatchObject([
      { inputSchema: { properties: { input: { description: expect.stringContaining("__codemode_input__") } } } },
    ]);
    await surface.callTool("run", { code: "1", input: { a: 1 } }, plainCall);
    expect(performed.scripts).toMatchObject([{ code: "1", input: { a: 1 } }]);
  }
});

test("null is what some clients send for nothing", async () => {
  const { view, performed } = viewOf(ownLockfile, saved);
  const { surface } = present(view, toServeSettings());
  await surface.callTool("run", { code: null, script: "plain", input: null }, plainCall);
  await surface.callTool("run", { code: "1", script: null, input: null }, plainCall);
  expect(performed.scripts).toMatchObject([{ script: "plain", input: null }, { code: "1" }]);
});
