import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeProject, runCodemode } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const HOSTILE = ["$(touch pwned)", "`touch pwned`", "x;touch pwned", "a b", "--force", "two\nwords", "\u001b[2K"];

/** Asks a real bash what it would put into the line; each row holds the words, the last of them as far as it is typed. */
async function askBash(cwd: string, rows: readonly string[][]): Promise<string[][]> {
  const program = join(cwd, "codemode");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`);
  await chmod(program, 0o755);
  const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
  const questions = rows.map(
    (words) =>
      `COMP_WORDS=(codemode ${words.map(quote).join(" ")}); COMP_CWORD=${words.length}; _codemode_complete; printf '%s\\037' "\${COMPREPLY[@]}"; echo`,
  );
  const script = ["source <(codemode completion bash)", ...questions].join("\n");
  const env = { ...process.env, PATH: `${cwd}:${process.env["PATH"]}` };
  const { stdout } = spawnSync("bash", ["--norc", "--noprofile", "-c", script], { cwd, env, encoding: "utf8" });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\u001f").filter(Boolean));
}

testOnPosix("bash")(
  "bash completes commands, options and the names of a project, and nothing that it could take for more",
  async () => {
    const tools = ["read", ...HOSTILE].map((name) => ({ name }));
    const cwd = await makeProject({
      "codemode.config.json": {
        mcpServers: { files: { command: "x" }, "$(touch pwned)": { command: "y" } },
        scripts: Object.fromEntries([
          ["nightly", { file: "n.ts", description: "`touch pwned`" }],
          ...HOSTILE.map((name) => [name, "x.ts"]),
        ]),
      },
      "codemode.lock.json": {
        lockfileVersion: 1,
        servers: { files: { tools }, "$(touch pwned)": { tools: [{ name: "x" }] } },
      },
      "n.ts": "",
    });
    const answers = await askBash(cwd, [
      ["doc"],
      ["tools", ""],
      ["call", "files/"],
      ["run", "n"],
      ["run", "--froz"],
      ["call", "$(touch pwned)"],
      ["lock", "`touch pwned`", ""],
      ["install", "curs"],
    ]);
    expect(answers).toEqual([
      ["doctor"],
      ["files", "touch-pwned"],
      ["files/read", "files/--force"],
      ["nightly", "n.ts"],
      ["--frozen"],
      [],
      ["files", "touch-pwned"],
      ["cursor"],
    ]);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
    expect(readdirSync(cwd)).not.toContain("pwned");
  },
);

testOnPosix("bash")("what is broken or missing has no names, and is no error on the line that is typed", async () => {
  const cwd = await makeProject({ "codemode.config.json": "{ broken", "codemode.lock.json": "[]" });
  expect(await runCodemode(["complete", "--", "tools", ""], { cwd })).toEqual({
    code: 0,
    stdout: "words\n",
    stderr: "",
  });
  // As PowerShell asks.
  expect((await runCodemode(["complete", ".doc"], { cwd })).stdout).toMatch(/^words\ndoctor\t/);
});

test("an unknown shell gets the list of known ones", async () => {
  const cwd = await makeProject({});
  const finished = await runCodemode(["completion", "tcsh"], { cwd });
  expect(finished).toMatchObject({ code: 2, stdout: "" });
  expect(finished.stderr).toContain("bash, zsh, fish, powershell");
});
