import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode, SERVERS, STAND_INS } from "./run-codemode.ts";

test("lock, generate and run, on three real servers", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: SERVERS },
    "notes.txt": "alpha\nbeta\ngamma\n",
    "script.ts": `
      import { get_sum } from "@codemode/servers/everything";
      import { read_text_file } from "@codemode/servers/filesystem";

      const { content } = await read_text_file({ path: "notes.txt" });
      const words: string[] = content.trim().split("\\n");
      console.log("read", words.length, { words });
      const sum = await get_sum({ a: words.length, b: 39 });
      export default { words: words.length, sum };
    `,
  });

  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0, stdout: "" });
  const generated = await typeCommand(["generate"], { cwd });
  expect(generated).toMatchObject({ code: 0, stdout: "" });

  const ran = await typeCommand(["run", "script.ts"], { cwd });
  expect(ran.stderr).toBe('read 3 {"words":["alpha","beta","gamma"]}\n');
  expect(JSON.parse(ran.stdout)).toEqual({ words: 3, sum: "The sum of 3 and 39 is 42." });
  expect(ran.code).toBe(0);

  const asJson = await typeCommand(["run", "script.ts", "--json"], { cwd });
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    logs: [{ level: "log", message: 'read 3 {"words":["alpha","beta","gamma"]}' }],
    result: { words: 3 },
    diagnostics: [],
    toolTrace: [
      { serverId: "filesystem", toolName: "read_text_file", ok: true },
      { serverId: "everything", toolName: "get-sum", ok: true },
    ],
  });
});

test("a first run locks and generates by itself, a frozen one refuses to", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  const script = 'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });';

  const frozen = await typeCommand(["run", "--eval", script, "--frozen"], { cwd });
  expect(frozen).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("hint: Run `codemode lock`") });

  const first = await typeCommand(["run", "--eval", script], { cwd });
  expect(first).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
  expect(await runCodemode(["run", "-", "--frozen"], { cwd, stdin: script })).toMatchObject({
    code: 0,
    stdout: '"Echo: hi"\n',
  });
});

test("two runs of lock give the same bytes and leave the file alone", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: STAND_INS } });
  await typeCommand(["lock"], { cwd });
  const path = join(cwd, "codemode.lock.json");
  const [text, { mtimeMs }] = [await readFile(path, "utf8"), await stat(path)];
  const again = await typeCommand(["lock"], { cwd });
  expect(again.stderr).toMatch(/everything: \d+ tools, unchanged/);
  expect(await readFile(path, "utf8")).toBe(text);
  expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 0 });
});

test("a hand on the lockfile or on a generated file is seen by generate --check", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 3 });
  await typeCommand(["generate"], { cwd });
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });

  const echo = join(cwd, "generated/everything/tools/echo.js");
  const original = await readFile(echo, "utf8");
  await writeFile(echo, original.replace("callTool(tool, input)", "callTool(tool, { message: 'mine' })"));
  const edited = await typeCommand(["generate", "--check"], { cwd });
  expect(edited.code).toBe(3);
  expect(edited.stderr).toContain("everything/tools/echo.js");
  await typeCommand(["generate"], { cwd });
  expect(await readFile(echo, "utf8")).toBe(original);

  await writeFile(join(cwd, "generated/everything/stray.js"), "");
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 3 });

  const lockfile = join(cwd, "codemode.lock.json");
  await writeFile(
    lockfile,
    (await readFile(lockfile, "utf8")).replace("Echoes back the input", "Sends the input away"),
  );
  const tampered = await typeCommand(["generate", "--check"], { cwd });
  expect(tampered.code).toBe(2);
  expect(tampered.stderr).toContain('the integrity of "echo" does not match its content');
});

test("a folder of another program is never overwritten", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: STAND_INS.everything }, out: "." },
  });
  const refused = await typeCommand(["generate"], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("was not generated by codemode");
  expect(await readdir(cwd)).toContain("codemode.config.json");
});
