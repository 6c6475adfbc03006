import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { stateName } from "@codemode/runtime/state-folder";
import { type ConfigFile, openProject } from "codemode";
import { expect, test } from "vitest";
import { formatPinnedBundle, parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { approveInTerminal, setUpApprovals } from "./own-terminal.ts";
import { typeCommand } from "./open-commands.ts";

// What a project has on disk when codemode is replaced by this version, as commit febb07a0 has written it: a durable run that waits for a person, two
// batches whose process was killed at line 3, a recording and a lockfile.

const WRITTEN = resolve("test/golden/earlier-version");
const WAITING = "oCxvNu7Nrye1YDJWqC-987";
const STORE_KEY = "s".repeat(32);

async function upgrade({ runs = "runs" } = {}) {
  const folder = await makeTestFolder();
  const [cwd, state] = [join(folder, "project"), join(folder, "state")];
  await cp(join(WRITTEN, "project"), cwd, { recursive: true });
  await mkdir(join(state, "codemode/runs"), { recursive: true, mode: 0o700 });
  await cp(join(WRITTEN, runs), join(state, "codemode/runs", stateName(cwd)), { recursive: true });
  const env = { XDG_STATE_HOME: state, STORE_KEY };
  return {
    ...{ cwd, env },
    type: (...words: string[]) => typeCommand(words, { cwd, env }),
    /** Says yes to the first question of a run, as a program of the operator. */
    async allow(id: string, configFile = "codemode.config.json") {
      const config = JSON.parse(await readFile(join(cwd, configFile), "utf8")) as ConfigFile;
      const engine = await (await openProject({ cwd, config, env: { ...process.env, ...env } })).openEngine();
      const outcome = await (await engine.durableRuns()).answer(`${id}.1`, { verdict: "granted" });
      await engine.close();
      return outcome;
    },
    /** What the server was asked to do since. */
    ledger: async () => (await readFile(join(cwd, "ledger.txt"), "utf8")).trim().split("\n"),
  };
}

test("a durable run of an earlier version is listed, its question is answered, and it goes on to its end", async () => {
  const { cwd, env, type, ledger } = await upgrade();
  expect((await type("runs")).stdout).toMatch(
    new RegExp(`^${WAITING} {2}wait.ts {2}waits for a person \\(1 question\\)`, "m"),
  );
  const { stdout } = await type("approvals", WAITING);
  expect(stdout).toContain(`${WAITING}.1`);
  expect(stdout).toContain('"entry": "rent"');
  // Which project it is of was not kept.
  expect(stdout).not.toContain("Project:");
  await setUpApprovals(cwd, env);
  expect(await approveInTerminal(`${WAITING}.1`, cwd, env)).toMatchObject({ code: 0 });
  const ended = await type("run", "wait.ts", "--durable", "--key", "rent");
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain(WAITING);
  // The random number is the one of its seed.
  const result = ["book before", "pay rent", "book after", 0.09502162310080442, expect.any(Number)];
  expect(JSON.parse(ended.stdout)).toEqual(result);
  expect(await ledger()).toEqual(["pay rent", "book after"]);
});

test("an encrypted durable run of an earlier version goes on too", async () => {
  const { type, allow, ledger } = await upgrade({ runs: "sealed-runs" });
  const config = ["--config", "sealed.config.json"];
  expect((await type("runs", ...config)).stdout).toContain("waits for a person");
  expect(await allow(WAITING, "sealed.config.json")).toBe("given");
  expect(await type("runs", WAITING, "--resume", ...config)).toMatchObject({ code: 0 });
  expect(await ledger()).toEqual(["pay rent", "book after"]);
});

/** Writes `later.json`, the script of `each.json` as a codemode with another runtime would bundle it. */
async function bundleWithAnotherRuntime(cwd: string): Promise<void> {
  const pinned = parsePinnedBundle(await readFile(join(cwd, "each.json"), "utf8"), "each.json");
  const code = pinned.bundle.code.replace("const __codemode_runtime__ = ", "$&/* another one */ ");
  expect(code).not.toBe(pinned.bundle.code);
  await writeFile(join(cwd, "later.json"), formatPinnedBundle({ ...pinned, bundle: { ...pinned.bundle, code } }));
}

const ALL_DONE = ["one", "two", "held", "four"].map((entry, at) => ({
  line: at + 1,
  ok: true,
  result: `book ${entry}`,
}));

test("a batch that an earlier version has half done goes on with the lines that have no result, and then with any runtime", async () => {
  const { cwd, type, ledger } = await upgrade();
  const run = (script: string, ...more: string[]) => type("run", script, "--inputs", "plain.jsonl", ...more);
  const headers = async (): Promise<object[]> =>
    parseLines(await readFile(join(cwd, "plain.jsonl.each.ts.journal"), "utf8")).filter(
      (line): line is object => "batch" in (line as object),
    );
  const batch = "7559c168-d781-4a87-86a2-3f40a3998669";
  // The digest of the former bundle does not tell whether the script is the same.
  await bundleWithAnotherRuntime(cwd);
  const differs = expect.stringContaining("of another version of the script or of codemode. Nothing was run.");
  expect(await run("later.json")).toMatchObject({ code: 2, stderr: differs });
  expect(await run("each.json", "--timeout", "2000")).toMatchObject({ code: 1 });
  expect(await headers()).toMatchObject([3, 4].map((journalVersion) => ({ journalVersion, batch })));
  await writeFile(join(cwd, "open"), "");
  const { code, stdout, stderr } = await run("later.json");
  expect(code, stderr).toBe(0);
  expect(parseLines(stdout)).toEqual(ALL_DONE);
  expect((await ledger()).toSorted()).toEqual(["book four", "book held"]);
});

test("a durable batch that an earlier version has half done goes on with the run that waits, and removes the ones that are done", async () => {
  const { cwd, type, allow, ledger } = await upgrade();
  await bundleWithAnotherRuntime(cwd);
  const runs = JSON.parse((await type("runs", "--json")).stdout) as { id: string; script: string; state: string }[];
  const inBatch = runs.filter(({ script }) => script === "each.ts");
  expect(inBatch.map(({ state }) => state).toSorted()).toEqual(["ended", "ended", "waiting"]);
  const run = (script: string, wait: string) =>
    type("run", script, "--inputs", "durable.jsonl", "--durable", "--wait", wait);
  expect(await run("each.json", "0")).toMatchObject({ code: 4 });
  expect(await allow(inBatch.find(({ state }) => state === "waiting")?.id ?? "")).toBe("given");
  const { code, stdout, stderr } = await run("later.json", "20000");
  expect(code, stderr).toBe(0);
  expect(parseLines(stdout)).toMatchObject([
    ...ALL_DONE.slice(0, 2),
    { line: 3, ok: true, result: "pay rent" },
    { line: 4, ok: true, result: "book four" },
  ]);
  expect((await ledger()).toSorted()).toEqual(["book four", "pay rent"]);
  expect(JSON.parse((await type("runs", "--json")).stdout)).toMatchObject([{ id: WAITING }]);
});

test("a recording of an earlier version is replayed, also against its script, and its lockfile stays as it is", async () => {
  const { cwd, type } = await upgrade();
  const lockfile = (folder: string) => readFile(join(folder, "codemode.lock.json"), "utf8");
  const { answer } = JSON.parse(await readFile(join(cwd, "recording.json"), "utf8")) as { answer: { result: unknown } };
  for (const script of [[], ["record.ts"]]) {
    const { code, stdout, stderr } = await type("replay", "recording.json", ...script);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(answer.result);
  }
  for (const command of ["generate", "lock"]) expect(await type(command)).toMatchObject({ code: 0 });
  expect(await lockfile(cwd)).toBe(await lockfile(join(WRITTEN, "project")));
});

function parseLines(stdout: string): unknown[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
