import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { parseRecording } from "../../../schemas/run/parse-recording.ts";
import { makeProject, runCodemode, SERVERS } from "../../e2e/run-codemode.ts";
import { findProblems, isRefused } from "../../results/check-scripts.ts";
import { countTypes } from "../../results/measure-server.ts";
import { misspellFields } from "../../results/misspell.ts";

const NAMES = ["everything", "filesystem", "memory"] as const;

// `npm run results` does the same with more servers.
test.each(NAMES)(
  "a script of %s passes once its results are learned, and is refused with a misspelt field",
  async (name) => {
    const cwd = await makeProject({ "codemode.config.json": { mcpServers: { [name]: SERVERS[name] } } });
    await mkdir(join(cwd, "notes"));
    await writeFile(join(cwd, "notes/plan.md"), "- [ ] first\n");
    const codemode = async (...args: string[]): Promise<void> => {
      const { code, stderr } = await runCodemode(args, { cwd });
      expect(code, stderr).toBe(0);
    };
    const read = (file: string): Promise<string> => readFile(join(cwd, file), "utf8");
    const readLock = async () => parseLockfile(await read("codemode.lock.json"), "codemode.lock.json");
    await codemode("lock");
    const before = await readLock();
    await copyFile(`test/results/scripts/${name}.ts`, join(cwd, "script.ts"));
    await codemode("run", "script.ts", "--record", "recording.json");
    await codemode("learn", "--from", "recording.json");
    const after = await readLock();

    const code = await read("script.ts");
    expect(await findProblems(code, after)).toEqual([]);
    const [misspelt] = misspellFields(code, [...after.servers.values()]);
    expect(misspelt && (await isRefused(misspelt, after)), misspelt?.wrong).toBe(true);
    if (name !== "everything") return;
    expect(await findProblems(code, before)).not.toEqual([]);
    const recording = parseRecording(await read("recording.json"), "recording.json");
    const server = after.servers.get(name);
    expect(server && countTypes(server, [recording])).toMatchObject({ called: 10, before: 1, after: 10 });
  },
);
