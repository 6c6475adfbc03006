import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, SERVERS } from "./run-codemode.ts";

/** The script makes a folder where the file belongs, as a disk that fills up in the meantime would stop the write too. */
test.each([
  ["--record", "kept.json"],
  ["--report", "kept.html"],
])(
  "where %s cannot be written after the run, the result is printed and the exit code is not a mistake's",
  async (option, file) => {
    const cwd = await makeProject({ "codemode.config.json": { mcpServers: { filesystem: SERVERS.filesystem } } });
    const script = `import { create_directory } from "@codemode/servers/filesystem"; await create_directory({ path: "${file}" }); export default 1;`;
    const ran = await typeCommand(["run", "--eval", script, option, file], { cwd });
    expect(ran, ran.stderr).toMatchObject({ code: 1, stdout: "1\n" });
    expect(ran.stderr).toContain(
      "error: The script has run, but its recording or report could not be written: Cannot access",
    );
  },
);

test("a file that cannot be written is refused before the script runs", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  await mkdir(join(cwd, "kept.json"));
  const refused = await typeCommand(["run", "--eval", "console.log('ran')", "--record", "kept.json"], { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).not.toContain("ran");
  expect(await readdir(cwd)).toEqual(["codemode.config.json", "kept.json"]);
});

test("a replay that diverges has no result", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: {} },
    "one.ts": "export default 1;",
    "two.ts": "export default 2;",
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["run", "one.ts", "--record", "one.json"], { cwd })).toMatchObject({ code: 0 });
  const diverged = await typeCommand(["replay", "one.json", "two.ts", "--json"], { cwd });
  expect(diverged.code, diverged.stderr).toBe(1);
  expect(JSON.parse(diverged.stdout)).toMatchObject({ result: null, diagnostics: [{ code: "REPLAY_DIVERGED" }] });
  expect(await readFile(join(cwd, "one.json"), "utf8")).toContain('"result": 1');
});
