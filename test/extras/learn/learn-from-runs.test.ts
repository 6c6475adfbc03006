import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectLegacy } from "../../e2e/serve-clients.ts";
import { anyObject, CONFIG, readAll, record, shareTracker, text, TOOLS } from "./tracker-project.ts";

const makeProject = shareTracker();

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

  test("a dry run shows what would be learned and forgotten, and changes nothing", async () => {
    const tools = [...TOOLS, { name: "none", inputSchema: anyObject, "x-answer": text({ issues: [] }) }];
    const config = { ...CONFIG, learn: { observe: true } };
    const project = await makeProject({ "codemode.config.json": config, "tools.json": tools });
    await project.run("lock");
    const script = `import { get_issue, none } from "@codemode/servers/tracker"; await get_issue(); await none();`;
    expect((await project.run("run", "--eval", script)).code).toBe(0);
    const before = await project.lockfile();
    for (const words of [[], ["--json"], ["--forget"], ["tracker/none"]]) {
      const tried = await project.run("learn", "--dry-run", ...words);
      expect(tried.code, tried.stderr).toBe(0);
      expect(await project.lockfile()).toBe(before);
    }
    const learned = await project.run("learn");
    expect(learned.stderr).toContain("/tools/get_issue/observed");
    expect(learned.stderr).toContain("only empty lists were seen here  /tools/none/observed/json/properties/issues");
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

test("who parses a whole MCP result hears which text of it to parse", async () => {
  const blocks = {
    content: [
      { type: "text", text: "[1]" },
      { type: "text", text: "in 2 ms" },
    ],
  };
  const tools = [...TOOLS, { name: "rows", inputSchema: anyObject, "x-answer": blocks }];
  const project = await makeProject({ "tools.json": tools });
  await project.run("lock");
  const script = `import { rows } from "@codemode/servers/tracker"; export default JSON.parse(await rows());`;
  const answer = JSON.parse((await project.run("run", "--eval", script, "--json")).stdout) as {
    diagnostics: { hint: string }[];
  };
  expect(answer.diagnostics[0]?.hint).toBe(
    "`rows` returned a whole MCP result: parse the text of one block, `JSON.parse(value.content[0].text)`. Tools returned: rows `McpResult`.",
  );
});

describe("learning from calls", () => {
  test("shows the calls with --dry-run, and makes them after approval alone", async () => {
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
