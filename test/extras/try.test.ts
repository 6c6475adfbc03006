import { readdir, readFile } from "node:fs/promises";
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";

/** The two numbers of the screen. */
function tokensOf(screen: string): { plain: number; used: number } {
  const [, plain = "", used = ""] =
    /Tokens\s+([\d,]+) about, with plain tool calls.*\n\s+([\d,]+) about, with codemode/.exec(screen) ?? [];
  return { plain: Number(plain.replaceAll(",", "")), used: Number(used.replaceAll(",", "")) };
}

test("try shows a task, what it saves and a stopped change, as the picture of the README does, in a folder without a project, and leaves no file", async () => {
  const cwd = await makeProject({});
  const home = await makeProject({});
  const temporary = await makeProject({});
  const env = { HOME: home, USERPROFILE: home, XDG_STATE_HOME: "", TMPDIR: temporary, CODEMODE_TRUST: "" };
  const { code, stdout, stderr } = await runCodemode(["try"], { cwd, env });
  expect(code, stderr).toBe(0);
  expect(stderr).toBe("");
  expect(stdout).toContain("Lock    tickets (1 tool), customers (1 tool), messages (1 tool) → codemode.lock.json\n");
  expect(stdout).toMatch(/Run {5}28 calls in \d+\.\d s, in a sandbox/);
  expect(stdout).toContain('"Quartz Foods: margaret knows"');
  const { plain, used } = tokensOf(stdout);
  expect(used).toBeLessThan(plain / 10);
  expect(stdout).toContain("APPROVAL_REQUIRED: This script needs a person's approval to call tickets/list_tickets,");
  expect(stdout).toContain("  codemode init ");
  expect(stdout.split("\n").length).toBeLessThanOrEqual(50);
  expect(await readdir(cwd)).toEqual([]);
  expect((await readdir(temporary)).filter((name) => name.startsWith("codemode-try"))).toEqual([]);
  // `node scripts/draw-terminal.js` draws it again.
  const drawn = spawnSync(process.execPath, ["scripts/draw-terminal.js", "--check"], { input: stdout });
  expect(String(drawn.stderr)).toBe("");
  expect(drawn.status).toBe(0);
});

test("npm start shows the same over three real servers of this repository", async () => {
  const lockfile = await readFile("codemode.lock.json", "utf8");
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/start.js"]);
  expect(stdout).toMatch(
    /Lock {4}everything \(\d+ tools\), filesystem \(\d+ tools\), memory \(\d+ tools\) → codemode\.lock\.json/,
  );
  expect(stdout).toContain('{"MIT":');
  const { plain, used } = tokensOf(stdout);
  expect(used).toBeLessThan(plain / 10);
  expect(stdout).toContain(
    "APPROVAL_REQUIRED: This script needs a person's approval to call filesystem/read_text_file,",
  );
  expect(stdout.split("\n").length).toBeLessThanOrEqual(50);
  expect(await readFile("codemode.lock.json", "utf8")).toBe(lockfile);
});
