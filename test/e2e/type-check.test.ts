import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeProject, runCodemode, SERVERS } from "./run-codemode.ts";

const TSC = resolve("node_modules/typescript/bin/tsc");

test("a script against two server packages passes tsc --strict, its mistakes do not", { timeout: 60_000 }, async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: SERVERS.everything, filesystem: SERVERS.filesystem } },
    "package.json": { type: "module" },
    "tsconfig.json": {
      compilerOptions: { strict: true, noEmit: true, module: "nodenext", target: "es2022", types: [], lib: ["es2023"] },
      files: ["script.ts"],
    },
  });
  await runCodemode(["generate"], { cwd });
  const check = async (body: string): Promise<string> => {
    const imports = `
      import { get_sum } from "@codemode/servers/everything";
      import * as files from "@codemode/servers/filesystem";
      export {};`;
    await writeFile(join(cwd, "script.ts"), imports + body);
    return spawnSync(process.execPath, [TSC, "-p", cwd], { encoding: "utf8" }).stdout;
  };

  const good =
    'await get_sum({ a: 1, b: 2 }); const { content } = await files.read_text_file({ path: "x" }); content.trim();';
  expect(await check(good)).toBe("");
  expect(await check("await get_sum({ a: 1, bee: 2 });")).toMatch(/'bee' does not exist in type 'GetSumInput'/);
  expect(await check('await get_sum({ a: 1, b: "2" });')).toMatch(/Type 'string' is not assignable to type 'number'/);
  expect(await check('await files.read_text_fil({ path: "x" });')).toMatch(/Did you mean 'read_text_file'/);
});
