import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatPinnedBundle, parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { findNode, NODE_VERSIONS } from "../node-versions/find-node.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS, runCodemode } from "./run-codemode.ts";

const SCRIPT = `import { label } from "./lib/label.ts";
import { get_sum } from "@codemode/servers/everything";
export const input = { type: "object", required: ["a"], properties: { a: { type: "number" } } };
interface Input { a: number }
const { a } = globalThis.__codemode_input__ as Input;
console.log(label, a);
export default await get_sum({ a, b: 2 });
`;

/** A locked and generated project with a script, and its pinned bundle as `sum.json`; made once, it is slow. */
let original = "";

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), "codemode-test-"));
  const config = { mcpServers: { everything: STAND_INS.everything } };
  await writeFile(join(original, "codemode.config.json"), JSON.stringify(config));
  await mkdir(join(original, "lib"));
  await writeFile(join(original, "lib/label.ts"), 'export const label: string = "adding";\n');
  await writeFile(join(original, "sum.ts"), SCRIPT);
  const bundled = await runCodemode(["bundle", "sum.ts", "-o", "sum.json"], { cwd: original });
  expect(bundled).toMatchObject({ code: 0, stdout: "" });
  expect(bundled.stderr).toContain("it may call everything/get-sum.");
});
afterAll(() => rm(original, { recursive: true }));

/** A copy of that project, below its own folder or a folder in that. */
async function makePinnedProject(folder = "."): Promise<string> {
  const cwd = join(await makeProject({}), folder);
  await cp(original, cwd, { recursive: true, verbatimSymlinks: true });
  return cwd;
}

test("a pinned bundle runs without the script, the generated package, TypeScript and Rollup", async () => {
  const cwd = await makePinnedProject();
  for (const gone of ["sum.ts", "lib", "generated", "node_modules"]) await rm(join(cwd, gone), { recursive: true });
  const env = { NODE_OPTIONS: `--import ${resolve("test/e2e/refuse-tools.mjs")}` };
  const finished = await typeCommand(["run", "sum.json", "--input", '{"a":40}'], { cwd, env });
  expect(finished).toEqual({ code: 0, stdout: '"The sum of 40 and 2 is 42."\n', stderr: "adding 40\n" });
});

test("the input is checked before anything runs, and can come from a file", async () => {
  const cwd = await makePinnedProject();
  const refused = await typeCommand(["run", "sum.json", "--input", '{"a":"40"}'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('INPUT_MISMATCH: "/a" of the input should be number, received "40".');
  await writeFile(join(cwd, "input.json"), '{ "a": 1 }');
  const finished = await typeCommand(["run", "sum.json", "--input-file", "input.json"], { cwd });
  expect(finished).toMatchObject({ code: 0, stdout: '"The sum of 1 and 2 is 3."\n' });
});

test("the same bytes come out of other folders, time zones, locales and Node versions", async () => {
  const places = [
    { folder: "one", env: { TZ: "UTC", LANG: "C" } },
    { folder: "another place", env: { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } },
  ];
  const texts = new Set<string>();
  for (const { folder, env } of places) {
    const cwd = await makePinnedProject(folder);
    for (const major of NODE_VERSIONS) {
      await promisify(execFile)(
        findNode(major),
        [resolve("dist/cli/main.js"), "bundle", "sum.ts", "--out", `sum-${major}.json`],
        { cwd, env: { ...process.env, ...env } },
      );
      texts.add(await readFile(join(cwd, `sum-${major}.json`), "utf8"));
    }
  }
  expect(texts.size).toBe(1);
  const [text = ""] = texts;
  expect(text).not.toContain(process.cwd());
  expect(parsePinnedBundle(text, "sum.json")).toMatchObject({ name: "sum.ts", madeBy: expect.any(Map) });
});

/** What else is no bundle: `test/schemas/pinned-bundle.test.ts`. */
test("a bundle with a changed byte is refused", async () => {
  const cwd = await makePinnedProject();
  const text = await readFile(join(cwd, "sum.json"), "utf8");
  await writeFile(join(cwd, "sum.json"), text.replace("b: 2", "b: 3"));
  const finished = await typeCommand(["run", "sum.json"], { cwd });
  expect(finished).toMatchObject({ code: 2, stdout: "" });
  expect(finished.stderr).toMatch(/^error: sum\.json: its integrity does not match its content.*\nhint: .*\n$/);
});

test("when a tool has changed, the bundle that uses it is refused with the tool's name, and others still run", async () => {
  const cwd = await makePinnedProject();
  await writeFile(
    join(cwd, "echo.ts"),
    'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });',
  );
  expect((await typeCommand(["bundle", "echo.ts", "-o", "echo.json"], { cwd })).code).toBe(0);
  // Another version of the server, as far as the lockfile tells: an output schema of the configuration is part of the tool.
  await writeFile(
    join(cwd, "codemode.config.json"),
    JSON.stringify({
      mcpServers: { everything: STAND_INS.everything },
      outputs: { "everything/get-sum": { type: "object", properties: { sum: { type: "number" } } } },
    }),
  );
  expect((await typeCommand(["lock"], { cwd })).code).toBe(0);
  const refused = await typeCommand(["run", "sum.json", "--input", '{"a":1}'], { cwd });
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain('the tool "get-sum" of "everything" has changed since it was bundled');
  expect(await typeCommand(["run", "echo.json", "--frozen"], { cwd })).toMatchObject({
    code: 0,
    stdout: '"Echo: hi"\n',
  });
});

test("without a lockfile there is nothing to hold a bundle against", async () => {
  const cwd = await makePinnedProject();
  await rm(join(cwd, "codemode.lock.json"));
  const finished = await typeCommand(["run", "sum.json"], { cwd });
  expect(finished.code).toBe(3);
  expect(finished.stderr).toContain("No lockfile found");
});

/** Ways to a tool that the manifest does not hold, each an expression whose promise must be rejected. */
const WAYS_OUT = [
  '__codemode_call__("everything", "echo", \'{"message":"out"}\')',
  '__codemode_call__("Everything", "get-sum", "{}")',
  '__codemode_call__("everything", "get_sum", "{}")',
  '__codemode_call__("everything", "get-sum\\0", "{}")',
  '__codemode_call__("everything", "__proto__", "{}")',
  '__codemode_call__("__proto__", "get-sum", "{}")',
  '__codemode_call__("constructor", "name", "{}")',
  '__codemode_call__("", "everything/get-sum", "{}")',
  '__codemode_call__("everything/get-sum", "", "{}")',
  '__codemode_call__(["everything"], ["echo"], "{}")',
  '__codemode_call__({ toString: () => "everything" }, { toString: () => "echo" }, "{}")',
  '__codemode_call__("everything", "echo")',
];

test("a bundle of a stranger's making can call nothing outside of its manifest", async () => {
  const cwd = await makePinnedProject();
  const pinned = parsePinnedBundle(await readFile(join(cwd, "sum.json"), "utf8"), "sum.json");
  const attempts = WAYS_OUT.map((way) => `async () => JSON.parse(await ${way})`).join(",\n");
  const code = `(async function () {"use strict";
    const outcomes = [];
    for (const attempt of [${attempts}]) {
      try { const reply = await attempt(); outcomes.push(reply.ok === false ? "refused" : reply); }
      catch (error) { outcomes.push("refused"); }
    }
    const allowed = JSON.parse(await __codemode_call__("everything", "get-sum", '{"a":1,"b":2}'));
    globalThis.__codemode_result__ = { outcomes, allowed: allowed.value };
  }).call(undefined)`;
  await writeFile(join(cwd, "evil.json"), formatPinnedBundle({ ...pinned, bundle: { ...pinned.bundle, code } }));
  const finished = await typeCommand(["run", "evil.json", "--json", "--input", '{"a":1}'], { cwd });
  const answer = JSON.parse(finished.stdout) as { result: unknown; toolTrace: { ok: boolean }[] };
  expect(answer.result).toEqual({ outcomes: WAYS_OUT.map(() => "refused"), allowed: "The sum of 1 and 2 is 3." });
  expect(answer.toolTrace.filter(({ ok }) => ok)).toHaveLength(1);
});

test("a manifest that claims a tool by a false integrity gets nothing", async () => {
  const cwd = await makePinnedProject();
  const pinned = parsePinnedBundle(await readFile(join(cwd, "sum.json"), "utf8"), "sum.json");
  const [tool] = pinned.bundle.manifest.tools;
  const forged = { ...tool, toolName: "echo", exportName: "echo" } as NonNullable<typeof tool>;
  const manifest = { tools: [...pinned.bundle.manifest.tools, forged] };
  await writeFile(join(cwd, "evil.json"), formatPinnedBundle({ ...pinned, bundle: { ...pinned.bundle, manifest } }));
  const finished = await typeCommand(["run", "evil.json", "--input", '{"a":1}'], { cwd });
  expect(finished.code).toBe(3);
  expect(finished.stderr).toContain('the tool "echo" of "everything"');
});
