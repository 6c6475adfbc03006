import { spawn } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { extra } from "../../extras/durable/index.ts";
import { testOnLinux } from "../platforms/needs.ts";
import { ASKING_CODE, ASKING_FILES, serveTo } from "./asking-client.ts";
import { typeCommand } from "./open-commands.ts";
import { PASSPHRASE, runInTerminal } from "./own-terminal.ts";
import { runCodemode } from "./run-codemode.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareInFile } from "./share-in-file.ts";
import { shareProject } from "./share-project.ts";

const CLI = resolve("dist/cli/main.js");

const makeAskingProject = shareProject(ASKING_FILES);

/** The shell tool of an agent: what it starts is below the client, which is this process. */
type Shell = (args: string[]) => Promise<{ code: number | null }>;

interface Scene {
  id: string;
  cwd: string;
  env: Record<string, string>;
  shell: Shell;
}

/** Agents that read that a person has to approve, and try to be that person. */
const AGENTS: [string, (scene: Scene) => Promise<void>][] = [
  [
    "runs the command in its shell",
    async ({ id, shell }) => expect(await shell(["approvals", id, "--approve"])).toMatchObject({ code: 2 }),
  ],
  [
    "opens a terminal in its shell, and even knows the passphrase",
    async ({ id, cwd, env }) => {
      const { code, shown } = await runInTerminal(["approvals", id, "--approve"], { cwd, env, launcher: [] });
      expect([code, shown]).toEqual([2, expect.stringContaining("started by the client that asks")]);
    },
  ],
  [
    "leaves its process tree, and guesses",
    async ({ id, cwd, env }) => {
      const typed = [["Passphrase", "password1"]] as const;
      const { code, shown } = await runInTerminal(["approvals", id, "--approve"], { cwd, env, typed });
      expect([code, shown]).toEqual([2, expect.stringContaining("The approval is not given: the passphrase is wrong")]);
    },
  ],
  [
    "writes the answer into the state folder",
    async ({ id, env }) => {
      const account = await extra.openAccountQuestions(undefined, env);
      const digest = (await account.questions()).find((each) => each.id === id)?.digest;
      await account.close();
      expect(digest).toBeDefined();
      const runs = join(env["XDG_STATE_HOME"] ?? "", "codemode/runs");
      const [project = ""] = await readdir(runs);
      const [run = ""] = id.split(".");
      expect(await readdir(join(runs, project, "asking"))).toContain(run);
      const messages = join(runs, project, "asking", "messages");
      await mkdir(messages, { recursive: true });
      const forged = { question: 1, digest, decision: { verdict: "granted", by: { way: "terminal" } } };
      await writeFile(join(messages, `${run}.${"0".repeat(21)}`), JSON.stringify(forged), { mode: 0o600 });
    },
  ],
  [
    "starts the page, and sends what its button sends",
    async ({ id, cwd, env }) => {
      const child = spawn(process.execPath, [CLI, "ui", "--no-open"], { cwd, env: { ...process.env, ...env } });
      let shown = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (shown += String(data)));
      await expect.poll(() => shown, { timeout: 20_000 }).toMatch(/http:\S+#\S+/);
      const address = new URL(/http:\S+#\S+/.exec(shown)?.[0] ?? "");
      const headers = { authorization: `Bearer ${address.hash.slice(1)}`, "content-type": "application/json" };
      const ask = (route: string, body: object): Promise<Response> =>
        fetch(new URL(`/api/${route}`, address), { method: "POST", headers, body: JSON.stringify(body) });
      const rows = (await (await ask("approvals", {})).json()) as { id: string; digest: string }[];
      const shownThere = { id, digest: rows.find((row) => row.id === id)?.digest };
      for (const passphrase of ["password1", ""])
        expect((await ask("approve", { ...shownThere, decision: "allow", text: "", passphrase })).status).toBe(403);
      const ended = new Promise((settle) => child.once("exit", settle));
      child.kill();
      await ended;
    },
  ],
  // The last one: afterwards no passphrase of before counts.
  [
    "sets a passphrase of its own",
    async ({ id, cwd, env }) => {
      const own = "of the agent";
      const typed = [
        ["A new passphrase", own],
        ["Once more", own],
      ] as const;
      expect(await runInTerminal(["approvals", "--setup"], { cwd, env, typed })).toMatchObject({ code: 0 });
      const { code, shown } = await runInTerminal(["approvals", id, "--approve"], { cwd, env });
      expect([code, shown]).toEqual([2, expect.stringContaining("began before this passphrase was set")]);
    },
  ],
];

const served = shareInFile(async () => {
  const cwd = await makeAskingProject();
  const env = await setPassphraseIn(`${cwd}/state`);
  return { cwd, env, ...(await serveTo(cwd, env)) };
});

for (const [what, approveItself] of AGENTS) {
  testOnLinux("`script` of util-linux opens a terminal")(`an agent that ${what} approves nothing`, async () => {
    const { cwd, env, call, begin } = served();
    const answer = await begin({ code: ASKING_CODE });
    expect(JSON.stringify(answer)).not.toMatch(/codemode approvals|--approve/);

    const listed = await typeCommand(["approvals", "--json"], { cwd, env });
    const [{ id }, ...others] = JSON.parse(listed.stdout) as [{ id: string }];
    expect(others).toEqual([]);
    const shell: Shell = (args) => runCodemode(args, { cwd, env, stdin: `${PASSPHRASE}\n` });
    await approveItself({ id, cwd, env, shell });

    const after = await call({ runId: answer.runId });
    expect(after).toMatchObject({ runId: answer.runId, result: null, toolTrace: [] });
    await call({ runId: answer.runId, cancel: true });
  });
}
