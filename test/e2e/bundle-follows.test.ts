import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const scripts = { sum: { file: "sum.json", source: "sum.ts" } };
const SUM =
  'import { get_sum } from "@codemode/servers/everything";\nimport { one } from "./one.ts";\nexport default await get_sum({ a: one, b: 2 });\n';
const copyProject = shareProject({
  "codemode.config.json": { mcpServers: { everything: STAND_INS.everything }, scripts },
  "sum.ts": SUM,
  "one.ts": "export const one = 1;\n",
});

test("bundle --check says when a pinned bundle no longer follows its script, and writes nothing", async () => {
  const cwd = await copyProject();
  const words = ["bundle", "sum.ts", "--out", "pinned.json"];
  expect(await typeCommand([...words, "--check"], { cwd })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("pinned.json is out of date with sum.ts: it does not exist."),
  });
  expect(await typeCommand(words, { cwd })).toMatchObject({ code: 0 });
  const before = await readFile(join(cwd, "pinned.json"), "utf8");
  expect(await typeCommand([...words, "--check"], { cwd })).toMatchObject({ code: 0 });

  // A module that the script imports counts as the script does.
  await writeFile(join(cwd, "one.ts"), "export const one = 3;\n");
  const changed = await typeCommand([...words, "--check"], { cwd });
  expect(changed).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("or a module that it imports, has changed"),
  });
  expect(await readFile(join(cwd, "pinned.json"), "utf8")).toBe(before);

  await writeFile(
    join(cwd, "sum.ts"),
    SUM.replaceAll("get_sum", "echo").replace("{ a: one, b: 2 }", "{ message: `${one}` }"),
  );
  expect((await typeCommand([...words, "--check"], { cwd })).stderr).toContain("the script calls other tools");
});

test("a configured pair is made and checked by its name, by check, and with all others", async () => {
  const cwd = await copyProject();
  expect(await typeCommand(["bundle", "--check"], { cwd })).toMatchObject({ code: 3 });
  expect(await typeCommand(["bundle"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["run", "sum"], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining("3") });
  expect(await typeCommand(["check", "sum"], { cwd })).toMatchObject({ code: 0 });
  await writeFile(join(cwd, "one.ts"), "export const one = 3;\n");
  const checked = await typeCommand(["check", "sum", "--json"], { cwd });
  expect(checked).toMatchObject({ code: 3, stderr: expect.stringContaining("sum.json is out of date with sum.ts") });
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false });
  expect(await typeCommand(["bundle", "--check"], { cwd })).toMatchObject({ code: 3 });
  expect(await typeCommand(["bundle", "sum"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["bundle", "--check"], { cwd })).toMatchObject({ code: 0 });
});
