import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SERVERS } from "../../e2e/run-codemode.ts";
import { anyObject, readAll, record, shareTracker, TOOLS } from "./tracker-project.ts";

const makeProject = shareTracker();

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

    // The server would fail, if it were started.
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
