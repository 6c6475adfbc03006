import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCodemode, SERVERS } from "../../e2e/run-codemode.ts";
import { connectLegacy } from "../../e2e/serve-clients.ts";
import { shareProject } from "../../e2e/share-project.ts";

const TRACKER = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };

const anyObject = { type: "object" };
const text = (value: unknown) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});
const issue = (more: object) => ({
  number: 481_516,
  title: "canary-title",
  author: { login: "canary-login" },
  ...more,
});

/** What its tools return holds canaries in values, and in keys that are data. */
const TOOLS = [
  {
    name: "get_issue",
    inputSchema: anyObject,
    annotations: { readOnlyHint: true },
    "x-answer": text(issue({ closedBy: null })),
  },
  { name: "get_labelled", inputSchema: anyObject, "x-answer": text([issue({ labels: ["canary-label"] })]) },
  {
    name: "by_id",
    inputSchema: anyObject,
    "x-answer": text({ "9f86d081-canary": issue({}), "canary@example.org": issue({}) }),
  },
  { name: "hello", inputSchema: anyObject, annotations: { readOnlyHint: true }, "x-answer": text("canary-hello") },
];

const CONFIG = { mcpServers: { tracker: TRACKER, everything: SERVERS.everything } };
const FIRST = `import { get_issue, hello } from "@codemode/servers/tracker";
export default [await get_issue(), await hello()].length;`;
const SECOND = `import { by_id, get_labelled } from "@codemode/servers/tracker";
import { get_tiny_image } from "@codemode/servers/everything";
export default [await by_id(), await get_labelled(), await get_tiny_image()].length;`;

const copy = shareProject({
  "codemode.config.json": CONFIG,
  "tools.json": TOOLS,
  "first.ts": FIRST,
  "second.ts": SECOND,
});

/** A project with a state folder of its own. */
async function makeProject(changed: Record<string, unknown> = {}) {
  const cwd = await copy(changed);
  const state = await mkdtemp(join(tmpdir(), "codemode-state-"));
  onTestFinished(() => rm(state, { recursive: true }));
  const run = (...args: string[]) => runCodemode(args, { cwd, env: { XDG_STATE_HOME: state, CODEMODE_TRUST: "1" } });
  return { cwd, state, run, lockfile: () => readFile(join(cwd, "codemode.lock.json"), "utf8") };
}

type Project = Awaited<ReturnType<typeof makeProject>>;

async function record({ run }: Project, ...names: string[]): Promise<void> {
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const { code, stderr } = await run("run", `${name}.ts`, "--record", `${name}.rec.json`);
    expect(code, stderr).toBe(0);
  }
}

async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".rec.json"));
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join("\n");
}

describe("learning from recordings", () => {
  test("writes shapes into the lockfile and the types, the same bytes in any order, and no value", async () => {
    const project = await makeProject();
    await record(project, "first", "second");
    const learned = await project.run("learn", "--from", "first.rec.json", "--from", "second.rec.json");
    expect(learned.code, learned.stderr).toBe(0);
    expect(learned.stderr).toContain("observed: shape of results observed in 1 result  /tools/get_issue/observed");
    const bytes = await project.lockfile();

    expect((await project.run("learn", "--from", "second.rec.json")).stderr).toBe("No new shapes of results.\n");
    await project.run("learn", "--forget");
    expect(await project.lockfile()).not.toContain("observed");
    await project.run("learn", "--from", "second.rec.json");
    await project.run("learn", "--from", "first.rec.json");
    expect(await project.lockfile()).toBe(bytes);

    const types = await readFile(join(project.cwd, "generated/tracker/tools/get_issue.d.ts"), "utf8");
    expect(types).toContain("/** Observed in 1 result; the server does not promise it. */");
    expect(types).toContain("export type GetIssueOutput = JsonText<GetIssueOutputJson>;");
    const byId = await readFile(join(project.cwd, "generated/tracker/tools/by_id.d.ts"), "utf8");
    expect(byId).toContain("[k: string]: {");
    const written = `${bytes}${await readAll(join(project.cwd, "generated"))}${await readAll(project.state)}`;
    expect(written).not.toMatch(/canary|9f86d081|481516/);
    expect((await project.run("generate", "--check")).code).toBe(0);
  });

  test("keeps what was learned when the server is locked again, and calls no change of it drift", async () => {
    const project = await makeProject();
    await record(project, "first");
    await project.run("learn", "--from", "first.rec.json");
    await writeFile(
      join(project.cwd, "tools.json"),
      JSON.stringify([...TOOLS, { name: "fresh", inputSchema: anyObject }]),
    );
    expect((await project.run("lock")).code).toBe(0);
    expect(await project.lockfile()).toContain('"observed"');
    expect((await project.run("lock", "--check")).code).toBe(0);
    await project.run("generate");
    expect((await project.run("run", "first.ts", "--frozen")).code).toBe(0);
  });

  test("refuses a recording of another project, or of a tool that has changed, in one line, and writes nothing", async () => {
    const project = await makeProject();
    await record(project, "first");
    const before = await project.lockfile();
    const other = await makeProject({ "codemode.config.json": { mcpServers: { everything: SERVERS.everything } } });
    await other.run("lock");
    await writeFile(join(other.cwd, "first.rec.json"), await readFile(join(project.cwd, "first.rec.json")));
    const foreign = await other.run("learn", "--from", "first.rec.json");
    expect(foreign).toMatchObject({ code: 2, stdout: "" });
    expect(foreign.stderr).toMatch(
      /^error: first\.rec\.json has results of tracker\/get_issue, which is not in the lockfile\.\nhint: Record the run again .*\n$/,
    );

    const changed = TOOLS.map((tool) => ({ ...tool, description: "Changed." }));
    await writeFile(join(project.cwd, "tools.json"), JSON.stringify(changed));
    await project.run("lock");
    const stale = await project.run("learn", "--from", "first.rec.json");
    expect(stale).toMatchObject({ code: 2, stderr: expect.stringContaining("has changed since it was recorded") });
    expect(await project.lockfile()).not.toContain('"observed"');
    expect(before).not.toContain('"observed"');
  });

  test("with --check writes nothing, and exits with 3 while something is new", async () => {
    const project = await makeProject();
    await record(project, "first");
    const before = await project.lockfile();
    const check = await project.run("learn", "--check", "--from", "first.rec.json");
    expect(check).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("error: Shapes of results are not in the lockfile: tracker."),
    });
    expect(await project.lockfile()).toBe(before);
    const json = await project.run("learn", "tracker/hello", "--from", "first.rec.json", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      changes: [{ serverId: "tracker", severity: "observed", toolsChanged: ["hello"] }],
    });
    expect((await project.run("learn", "--check", "--from", "first.rec.json")).code).toBe(3);
    expect((await project.run("learn", "--from", "first.rec.json")).code).toBe(0);
    expect((await project.run("learn", "--check", "--from", "first.rec.json")).code).toBe(0);
  });

  test("a shape that was edited by hand into something else is named, and nothing is lost", async () => {
    const project = await makeProject();
    await record(project, "first");
    await project.run("learn", "--from", "first.rec.json");
    const learned = await project.lockfile();
    const observed = learned.indexOf('"observed"');
    const broken =
      learned.slice(0, observed) + learned.slice(observed).replace('"number"\n', '"number",\n"minimum": 3\n');
    expect(broken).not.toBe(learned);
    await writeFile(join(project.cwd, "codemode.lock.json"), broken);
    const { code, stderr } = await project.run("types", "tracker");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: .*codemode\.lock\.json.*"observed" of "get_issue": in "json", \/properties\/number has the keyword "minimum", which no shape has\.?\nhint: .*\n$/,
    );
    expect(await project.lockfile()).toBe(broken);

    const deep = `"json": ${'{"type":"array","items":'.repeat(1000)}{}${"}".repeat(1000)},\n"sources"`;
    await writeFile(
      join(project.cwd, "codemode.lock.json"),
      broken.replace('"sources"', deep).replace('"json"', '"x"'),
    );
    expect((await project.run("types", "tracker")).stderr.split("\n")).toHaveLength(3);

    // The server would fail, if it were started.
    await writeFile(join(project.cwd, "codemode.lock.json"), broken);
    await writeFile(join(project.cwd, "tools.json"), "broken");
    const repaired = await project.run("lock", "--repair");
    expect(repaired).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('tracker: left out: "observed" of "get'),
    });
    expect(repaired.stderr.trimEnd().split("\n")).toHaveLength(1);
    const kept = (text: string) => [...text.matchAll(/"observed"/g)].length;
    expect(kept(await project.lockfile())).toBe(kept(learned) - 1);
  });
});

describe("learning from runs", () => {
  test("`learn.observe` leaves shapes in the state folder, which learn takes", async () => {
    const project = await makeProject({ "codemode.config.json": { ...CONFIG, learn: { observe: true } } });
    for (const name of ["first", "second"]) expect((await project.run("run", `${name}.ts`)).code).toBe(0);
    expect(await project.lockfile()).not.toContain('"observed"');
    expect(await readAll(join(project.state, "codemode", "observed"))).not.toMatch(/canary|9f86d081|481516/);
    const before = await project.run("diff", "tracker");
    expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining("tracker: changed (observed)") });
    expect(before.stdout).toContain("/tools/hello/observed");
    expect(before.stdout).not.toContain("everything");
    expect((await project.run("learn", "--forget", "tracker/hello")).stderr).toBe(
      "tracker/hello: what runs left behind, forgotten\n",
    );
    expect((await project.run("learn", "--forget", "tracker/hello")).stderr).toContain("Nothing was learned");
    const learned = await project.run("learn");
    expect(learned.stderr).toContain("/tools/by_id/observed");
    expect(learned.stderr).not.toContain("/tools/hello/observed");
    expect(await readdir(join(project.state, "codemode", "observed"), { recursive: true })).toHaveLength(1);
    expect((await project.run("learn")).stderr).toBe("No new shapes of results.\n");
  });

  test("nothing is left behind without it, and never by frozen runs and pinned bundles", async () => {
    const project = await makeProject();
    await project.run("run", "first.ts");
    const observing = { ...CONFIG, learn: { observe: true } };
    await writeFile(join(project.cwd, "codemode.config.json"), JSON.stringify(observing));
    await project.run("run", "first.ts", "--frozen");
    await project.run("bundle", "first.ts", "--out", "first.bundle.json");
    expect((await project.run("run", "first.bundle.json")).code).toBe(0);
    expect(await readdir(project.state, { recursive: true })).not.toContain("codemode/observed");
  });

  test("serve shows what is learned from its next list on", async () => {
    const project = await makeProject();
    await record(project, "first");
    const client = await connectLegacy(project.cwd, [], {}, { XDG_STATE_HOME: project.state });
    const listed = async (): Promise<string> => JSON.stringify((await client.listTools()).tools);
    expect(await listed()).not.toContain("closedBy");
    await project.run("learn", "--from", "first.rec.json");
    expect(await listed()).toContain("closedBy");
    await project.run("learn", "--forget");
    expect(await listed()).not.toContain("closedBy");
  });

  test("a new shape is an info in the answer, once for each tool, and no run fails for it", async () => {
    const project = await makeProject();
    await record(project, "first");
    await project.run("learn", "--from", "first.rec.json");
    const changed = TOOLS.map((tool) => ({ ...tool, "x-answer": text({ other: 1 }) }));
    await writeFile(join(project.cwd, "tools.json"), JSON.stringify(changed));
    const script = `import { get_issue, hello } from "@codemode/servers/tracker";
      await get_issue(); await get_issue(); await hello(); export default "done";`;
    const answer = JSON.parse((await project.run("run", "--eval", script, "--json")).stdout) as {
      result: unknown;
      diagnostics: object[];
    };
    expect(answer.result).toBe("done");
    expect(answer.diagnostics).toEqual([
      {
        severity: "info",
        code: "RESULT_SHAPE_NEW",
        message: "A result of tracker/get_issue has a shape that was not observed before.",
        hint: "It is `JsonText<{ other: number }>`.",
      },
      expect.objectContaining({ message: "A result of tracker/hello has a shape that was not observed before." }),
    ]);
    const frozen = JSON.parse(
      (await project.run("run", "--eval", script, "--json", "--frozen")).stdout,
    ) as typeof answer;
    expect(frozen.diagnostics).toEqual([]);
    await project.run("bundle", "--eval", script, "--out", "pinned.json");
    const pinned = JSON.parse((await project.run("run", "pinned.json", "--json")).stdout) as typeof answer;
    expect(pinned).toMatchObject({ result: "done", diagnostics: [] });
  });

  test("after a failure the hint quotes what tools returned", async () => {
    const project = await makeProject();
    const script = `import { get_issue } from "@codemode/servers/tracker";
      export default JSON.parse(await get_issue()).user.login;`;
    const answer = JSON.parse((await project.run("run", "--eval", script, "--json")).stdout) as {
      diagnostics: { hint: string }[];
    };
    expect(answer.diagnostics[0]?.hint).toContain(
      "Tools returned: get_issue `JsonText<{ author: { login: string }; closedBy: null; number: number; title: string }>`.",
    );
  });
});

describe("learning from calls", () => {
  test("shows the calls with --dry-run, and makes them after consent alone", async () => {
    const project = await makeProject();
    const calls = "  tracker/get_issue {}\n  tracker/hello {}\n";
    expect(await project.run("learn", "tracker", "--call", "--dry-run")).toMatchObject({
      code: 0,
      stderr: `Would call:\n${calls}`,
    });
    const refused = await project.run("learn", "tracker", "--call");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("error: The calls were not made") });
    expect(await project.lockfile()).not.toContain('"observed"');
    const made = await project.run("learn", "tracker", "--call", "--approve");
    expect(made.code, made.stderr).toBe(0);
    expect(await project.lockfile()).toContain('"observed"');
  });

  test("takes an input for one tool, and refuses it for several", async () => {
    const project = await makeProject();
    const one = await project.run("learn", "tracker/hello", "--call", "--input", '{"a": 1}', "--dry-run");
    expect(one.stderr).toBe('Would call:\n  tracker/hello {"a":1}\n');
    expect((await project.run("learn", "tracker", "--call", "--input", "{}")).code).toBe(2);
    expect((await project.run("learn", "--call", "--forget")).code).toBe(2);
  });
});
