import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const text = (name: "everything" | "memory") => JSON.stringify(STAND_INS[name]);
/** Two names with one id, in a format of the user's own. */
const CONFIG = `{
    "limits": { "timeoutMs": 5000 },
    "mcpServers": {
        "My Notes": ${text("memory")},
        "my-notes": ${text("everything")},
        "other": ${text("everything")}
    },
    "policy": { "allow": ["*"], "deny": ["other/echo"] }
}
`;
const copyProject = shareProject({ "codemode.config.json": CONFIG });

async function readIds(cwd: string): Promise<string[]> {
  const lockfile = JSON.parse(await readFile(join(cwd, "codemode.lock.json"), "utf8")) as { servers: object };
  return Object.keys(lockfile.servers);
}

test("remove takes a server out of configuration, lockfile and package, and leaves the rest as it is", async () => {
  const cwd = await copyProject();
  const removed = await typeCommand(["remove", "other"], { cwd });
  expect(removed).toEqual({
    code: 0,
    stdout: "",
    stderr:
      "Removed other from the configuration, the lockfile and the generated package.\n" +
      "warning: the configuration still names its tools, in policy.deny\n",
  });
  const kept = CONFIG.replace(/,\n *"other": .*/, "");
  expect(await readFile(join(cwd, "codemode.config.json"), "utf8")).toBe(kept);
  expect(await readIds(cwd)).toEqual(["my-notes", "my-notes--2"]);
  expect(existsSync(join(cwd, "generated/other"))).toBe(false);
  expect(await readFile(join(cwd, "generated/package.json"), "utf8")).not.toContain("other");
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["remove", "other"], { cwd })).toMatchObject({ code: 2 });
});

test("a server whose id was numbered because of the removed one gets its own id, and nothing has to be locked again", async () => {
  const cwd = await copyProject();
  const removed = await typeCommand(["remove", "My Notes"], { cwd });
  expect(removed.stderr).toContain("The server my-notes--2 is my-notes now");
  expect(await readIds(cwd)).toEqual(["my-notes", "other"]);
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 0 });
  const script = 'import { echo } from "@codemode/servers/my-notes"; export default await echo({ message: "hi" });';
  expect(await typeCommand(["run", "--frozen", "--eval", script], { cwd })).toMatchObject({ stdout: '"Echo: hi"\n' });
});

test("a server that is disabled is removed too, and a broken lockfile is refused before anything is written", async () => {
  const cwd = await copyProject({
    "codemode.config.json": { mcpServers: { other: { command: "x", disabled: true } } },
  });
  expect(await typeCommand(["remove", "other"], { cwd })).toMatchObject({ code: 0 });
  expect(await readIds(cwd)).not.toContain("other");

  const broken = await copyProject({ "codemode.lock.json": "{" });
  expect(await typeCommand(["remove", "other"], { cwd: broken })).toMatchObject({ code: 2 });
  expect(await readFile(join(broken, "codemode.config.json"), "utf8")).toBe(CONFIG);
});
