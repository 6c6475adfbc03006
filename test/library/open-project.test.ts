import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { formatLockfile, openProject, type Project } from "codemode";

const EVERYTHING = resolve("test/servers/stand-in.mjs");

async function openExample(): Promise<Project> {
  const cwd = await mkdtemp(join(tmpdir(), "library-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  return openProject({
    cwd,
    config: {
      mcpServers: { everything: { command: process.execPath, args: [EVERYTHING, "everything"] } },
      policy: { allow: ["*"], ask: ["everything/get-sum"] },
    },
  });
}

const ECHO = `import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hello" });`;
const SUM = `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 1, b: 2 });`;

test("a program locks a server, runs a script and calls a tool", async () => {
  const project = await openExample();
  expect(project.lockfile).toBeUndefined();
  const locked = await project.lock();
  expect([locked.answered, locked.failures]).toEqual([["everything"], []]);
  expect(project.lockfile).toEqual(locked.lockfile);
  expect(await readFile(join(project.folder, "codemode.lock.json"), "utf8")).toBe(formatLockfile(locked.lockfile));
  expect((await project.diff()).changes).toEqual([]);

  await using engine = await project.openEngine();
  const answer = await engine.run({ code: ECHO });
  expect(answer).toMatchObject({ result: "Echo: hello", diagnostics: [] });
  expect(await engine.callTool("everything/echo", { message: "again" })).toBe("Echo: again");
  const failing = await engine.run({ code: "throw new Error('no')" });
  expect(failing.diagnostics.map(({ code }) => code)).toEqual(["UNCAUGHT_EXCEPTION"]);
});
