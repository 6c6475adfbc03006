import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseLockfile } from "../../../schemas/lock/parse-lockfile.ts";
import { parseRecording } from "../../../schemas/run/parse-recording.ts";
import { makeProject, runCodemode, SERVERS } from "../../e2e/run-codemode.ts";
import { findProblems, isRefused } from "../../results/check-scripts.ts";
import { countTypes } from "../../results/measure-server.ts";
import { misspellFields } from "../../results/misspell.ts";

const NAMES = ["everything", "filesystem", "memory"];

// `npm run results` does the same with more servers.
test("scripts of real servers pass once their results are learned, and are refused with a misspelt field", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: SERVERS } });
  await mkdir(join(cwd, "notes"));
  await writeFile(join(cwd, "notes/plan.md"), "- [ ] first\n");
  const codemode = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await runCodemode(args, { cwd });
    expect(code, stderr).toBe(0);
  };
  const read = (file: string): Promise<string> => readFile(join(cwd, file), "utf8");
  await codemode("lock");
  await Promise.all(
    NAMES.map(async (name) => {
      await copyFile(`test/results/scripts/${name}.ts`, join(cwd, `${name}.ts`));
      await codemode("run", `${name}.ts`, "--record", `${name}.json`);
    }),
  );
  const before = parseLockfile(await read("codemode.lock.json"), "codemode.lock.json");
  await codemode("learn", ...NAMES.flatMap((name) => ["--from", `${name}.json`]));
  const after = parseLockfile(await read("codemode.lock.json"), "codemode.lock.json");

  const recordings = await Promise.all(NAMES.map(async (name) => parseRecording(await read(`${name}.json`), name)));
  const everything = after.servers.get("everything");
  expect(everything && countTypes(everything, recordings)).toMatchObject({ called: 10, before: 1, after: 10 });
  const script = await read("everything.ts");
  expect(await findProblems(script, before)).not.toEqual([]);
  for (const name of NAMES) {
    const code = await read(`${name}.ts`);
    expect(await findProblems(code, after), name).toEqual([]);
    const [misspelt] = misspellFields(code, [...after.servers.values()]);
    expect(misspelt && (await isRefused(misspelt, after)), `${name}: ${misspelt?.wrong}`).toBe(true);
  }
});
