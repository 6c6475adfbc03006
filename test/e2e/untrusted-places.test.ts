import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHostileProject } from "./hostile-project.ts";
import { typeCommand } from "./open-commands.ts";

/** Takes out the audit log, which is a place outside of the project of its own, and puts something in. */
async function changeConfig(cwd: string, more: object): Promise<void> {
  const file = join(cwd, "codemode.config.json");
  const { audit: _, ...config } = JSON.parse(await readFile(file, "utf8")) as { audit: unknown };
  await writeFile(file, JSON.stringify({ ...config, ...more }));
}

test("packages are generated outside of the project with approval alone", async () => {
  const { cwd, env } = await makeHostileProject({ isLocked: true });
  const out = join(env["XDG_STATE_HOME"] as string, "packages");
  await changeConfig(cwd, { out });
  for (const args of [["generate"], ["bundle", "uses.ts", "-o", "out.json"], ["generate", "--update", "memory"]]) {
    expect(await typeCommand(args, { cwd, env }), args.join(" ")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("This project is not trusted on this account"),
    });
    expect(await readdir(env["XDG_STATE_HOME"] as string)).not.toContain("packages");
  }
  // The user names this one.
  expect(await typeCommand(["generate", "--out", out], { cwd, env })).toMatchObject({ code: 0 });
  await rm(out, { recursive: true });
  const { stdout } = await typeCommand(["trust"], { cwd, env });
  expect(stdout).toContain(`out: writes the folder ${out}\n`);
  expect(await typeCommand(["generate"], { cwd, env })).toMatchObject({ code: 0 });
  expect(await readdir(out)).toContain("memory");
});

test.each(["HOME", "XDG_STATE_HOME"])("a relative %s does not make approvals lie in the project", async (name) => {
  const { cwd, env, started } = await makeHostileProject({ isLocked: true });
  await changeConfig(cwd, {});
  const state = join(cwd, name === "HOME" ? ".local/state" : "");
  expect(await typeCommand(["trust"], { cwd, env: { ...env, XDG_STATE_HOME: state } })).toMatchObject({ code: 0 });
  const relative = name === "HOME" ? { HOME: "", XDG_STATE_HOME: "" } : { XDG_STATE_HOME: "." };
  expect(await typeCommand(["run", "uses.ts"], { cwd, env: { ...env, ...relative } })).toMatchObject({ code: 2 });
  expect(started()).toEqual([]);
});
