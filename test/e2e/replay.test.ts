import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, afterAll, describe, expect, onTestFinished, test } from "vitest";
import { findNode, NODE_VERSIONS } from "../node-versions/find-node.ts";
import { typeCommand } from "./open-commands.ts";
import { type Finished, makeProject, SERVERS, runCodemode } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const SCRIPT = `
  import { echo, get_sum, trigger_long_running_operation } from "@codemode/servers/everything";
  import { list_directory, read_text_file } from "@codemode/servers/filesystem";
  import { create_entities, read_graph } from "@codemode/servers/memory";
  import { searchTools } from "@codemode/discovery";

  const id = Math.random().toString(36).slice(2);
  const started = Date.now();
  const [{ content }, folder, sum] = await Promise.all([
    read_text_file({ path: "notes.txt" }),
    list_directory({ path: "." }),
    get_sum({ a: 2, b: 40 }),
  ]);
  console.log("read", content.trim().split("\\n"), String(sum));
  const first = await Promise.race([
    trigger_long_running_operation({ duration: 0.2, steps: 2 }).then(() => "operation"),
    // sleeps: the operation beside it takes longer
    new Promise((resolve) => setTimeout(() => resolve("timer"), 100)),
  ]);
  console.warn("first was the", first, "after", Date.now() - started);
  await create_entities({ entities: [{ name: id, entityType: "run", observations: [new Date().toString()] }] });
  const graph = await read_graph();
  const missing = await read_text_file({ path: "nowhere.txt" }).catch((error) => error.message);
  const { results } = await searchTools("sum of two numbers", { limit: 1 });
  export default { id, started, first, graph, missing, echo: await echo({ message: "hi" }), found: results.length, lines: String(folder.content ?? folder).length };
`;

let project: string;
let recorded: Finished;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "codemode-replay-"));
  await writeFile(join(project, "codemode.config.json"), JSON.stringify({ mcpServers: SERVERS }));
  await writeFile(join(project, "notes.txt"), "alpha\nbeta\n");
  await writeFile(join(project, "script.ts"), SCRIPT);
  expect(await runCodemode(["generate"], { cwd: project })).toMatchObject({ code: 0 });
  recorded = await runCodemode(["run", "script.ts", "--record", "run.json"], { cwd: project });
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

/** A machine that has codemode and a version of Node, and nothing else but the recording. */
async function replayElsewhere(node: string, args: readonly string[] = []): Promise<Finished & { files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-elsewhere-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ["home", "work"]) await mkdir(join(folder, name));
  const cwd = join(folder, "work");
  await copyFile(join(project, "run.json"), join(cwd, "run.json"));
  const env = { HOME: join(folder, "home"), PATH: "/nonexistent", TZ: "Asia/Kolkata", LANG: "de_DE.UTF-8" };
  const words = [resolve("dist/cli/main.js"), "replay", "run.json", ...args];
  return new Promise((settle) => {
    execFile(node, words, { cwd, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code as number);
      void readdir(cwd).then((files) => settle({ code, stdout, stderr, files }));
    });
  });
}

testOnPosix("modes of files")("a run against three real servers is recorded, for its owner alone", async () => {
  expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining("warn: first was the timer after") });
  expect((await stat(join(project, "run.json"))).mode & 0o777).toBe(0o600);
  const recording = JSON.parse(await readFile(join(project, "run.json"), "utf8"));
  expect(recording).toMatchObject({ recordingVersion: 1, script: "script.ts", ending: "result" });
  expect(Object.keys(recording.servers).toSorted()).toEqual(["everything", "filesystem", "memory"]);
});

test.each(NODE_VERSIONS)("and replayed on a machine without servers, on Node %s, byte for byte", async (version) => {
  const replayed = await replayElsewhere(findNode(version));
  expect(replayed).toEqual({ ...recorded, files: ["run.json"] });
});

test("with --json the logs, the result and the trace are those of the run", async () => {
  const { stdout } = await replayElsewhere(process.execPath, ["--json"]);
  const { answer } = JSON.parse(await readFile(join(project, "run.json"), "utf8"));
  expect(JSON.parse(stdout)).toEqual(answer);
});

describe("a changed script, replayed against the recording,", () => {
  test("names the argument that is another", async () => {
    await writeFile(join(project, "changed.ts"), SCRIPT.replace("b: 40", "b: 41"));
    const replayed = await typeCommand(["replay", "run.json", "changed.ts"], { cwd: project });
    expect(replayed.code).toBe(1);
    expect(replayed.stderr).toContain(
      "error: /b REPLAY_DIVERGED: The replay diverges from the recording at call 3 (everything/get-sum) at /b: expected 40, received 41\nhint: ",
    );
  });

  test("is taken over by --update, as a test is; the recording then is of the changed script", async () => {
    await copyFile(join(project, "run.json"), join(project, "updated.json"));
    await writeFile(
      join(project, "changed.ts"),
      SCRIPT.replace('message: "hi"', 'message: "ho"').replace('"read"', '"got"'),
    );
    const updated = await typeCommand(["replay", "updated.json", "changed.ts", "--update"], { cwd: project });
    expect(updated.code).toBe(0);
    expect(updated.stderr).toMatch(/^Updated call \d+ \(everything\/echo\) at \/message: "hi" is now "ho"$/m);
    expect(updated.stderr).toMatch(/^Updated log line 1: /m);
    expect(await typeCommand(["replay", "updated.json"], { cwd: project })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^got /),
    });
    const old = await typeCommand(["replay", "updated.json", "script.ts"], { cwd: project });
    expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining("/message") });
  });

  test("that cannot be bundled says why", async () => {
    await writeFile(join(project, "changed.ts"), 'import fs from "node:fs";');
    const replayed = await typeCommand(["replay", "run.json", "changed.ts"], { cwd: project });
    expect(replayed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("IMPORT_FAILURE") });
  });
});

/** What else is no recording: `test/schemas/recording.test.ts`. */
test("a recording that is tampered with exits with 2, and says so in a line and a hint", async () => {
  const cwd = await makeProject({});
  const text = await readFile(join(project, "run.json"), "utf8");
  await writeFile(join(cwd, "broken.json"), text.replace('"alpha', '"omega'));
  const { code, stdout, stderr } = await typeCommand(["replay", "broken.json"], { cwd });
  expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
  expect(stderr).toContain("broken.json: its integrity does not match");
});

test("--redact keeps a secret out of the file, while the servers get it; the replay is the same", async () => {
  const secret = "s3cr3t-0b5e7c1d";
  const script = `
    import { echo } from "@codemode/servers/everything";
    import { read_text_file } from "@codemode/servers/filesystem";
    const { content } = await read_text_file({ path: "secret.env" });
    const { token } = globalThis.__codemode_input__;
    console.log(content, token);
    export default [await echo({ message: content }), btoaLike(token)];
    function btoaLike(text) { return [...text].map((letter) => letter.charCodeAt(0)); }
  `;
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: SERVERS.everything, filesystem: SERVERS.filesystem } },
    "secret.env": `API_KEY=${secret}\nREGION=north`,
    "script.ts": script,
  });
  const words = [
    "--record",
    "run.json",
    "--redact",
    "token",
    "--redact",
    "*key",
    "--input",
    `{"token":"${secret}-input"}`,
  ];
  const run = await typeCommand(["run", "script.ts", ...words], { cwd });
  expect(run.code).toBe(0);
  const text = await readFile(join(cwd, "run.json"), "utf8");
  expect(text).not.toContain(secret);
  expect(text).not.toContain(JSON.stringify([...Buffer.from(secret)]).slice(1, -1));
  expect(text).toContain("REGION=north");
  const replayed = await typeCommand(["replay", "run.json"], { cwd });
  expect([replayed.code, replayed.stdout]).toEqual([0, run.stdout]);
  expect(run.stderr).toContain(replayed.stderr);
});

test("--redact without --record is a mistake", async () => {
  const cwd = await makeProject({});
  const { code, stderr } = await typeCommand(["run", "--eval", "1", "--redact", "token"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining("--redact: it needs --record")]);
});
