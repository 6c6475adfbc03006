import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { openProject, type Project } from "codemode";
import { makeTestFolder } from "../make-test-folder.ts";

const makeEmptyProject = async (): Promise<Project> =>
  openProject({ cwd: await makeTestFolder(), config: { mcpServers: {} } });

/** As a program in JavaScript passes it. */
const untyped = (value: object): object => value;

test("an option that does not exist is refused, with the nearest one", async () => {
  await expect(openProject(untyped({ confg: "a.json" }))).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: "openProject: there is no option `confg`", hint: "Did you mean `config`?" },
  });
  const project = await makeEmptyProject();
  await expect(project.openEngine(untyped({ policy: {} }))).rejects.toMatchObject({
    message: "openEngine: there is no option `policy`",
    hint: expect.stringMatching(/^Known: drift, frozen, /) as string,
  });
  const engine = await project.openEngine();
  onTestFinished(() => engine.close());
  await expect(engine.run({ code: "1" }, untyped({ inputs: 1 }))).rejects.toMatchObject({
    hint: "Did you mean `input`?",
  });
});

/** The methods of an interface of the declarations that take an object of options, with its place among the arguments. */
function methodsWithOptions(declarations: string, name: string): [method: string, place: number][] {
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\n([^]*?)\n\\}`).exec(declarations)?.[1] ?? "";
  const code = body.replace(/\/\*\*[^]*?\*\//g, "");
  return [...code.matchAll(/^ {4}(\w+)\(([^]*?)\): /gm)].flatMap(([, method = "", list = ""]) => {
    const before = /^([^]*?)\b\w*(?:[oO]ptions|decision)\??:/.exec(list)?.[1];
    return before === undefined ? [] : [[method, before.split(",").length - 1] as [string, number]];
  });
}

test("every method that takes options refuses one that does not exist, and does nothing", async () => {
  const declarations = await readFile("dist/codemode.d.ts", "utf8");
  const project = await makeEmptyProject();
  const engine = await project.openEngine();
  onTestFinished(() => engine.close());
  const runs = await engine.durableRuns();
  const all: [string, object][] = [
    ["Project", project],
    ["Engine", engine],
    ["DescribedTool", engine.describeTool()],
    ["EngineRuns", runs],
    ["DurableRunList", runs],
  ];
  const tried: string[] = [];
  for (const [name, object] of all) {
    for (const [method, place] of methodsWithOptions(declarations, name)) {
      const given = [...Array.from({ length: place }, () => "x"), { chekc: true }];
      const call = async () => (Reflect.get(object, method) as (...args: unknown[]) => unknown)(...given);
      await expect(call(), `${name}.${method}`).rejects.toMatchObject({
        ...{ code: "INVALID_OPTION", message: `${method}: there is no option \`chekc\`` },
      });
      tried.push(`${name}.${method}`);
    }
  }
  expect(tried.toSorted()).toEqual([
    ...[
      "DescribedTool.call",
      "DurableRunList.answer",
      "DurableRunList.decide",
      "Engine.callTool",
      "Engine.check",
      "Engine.close",
      "Engine.connectTo",
      "Engine.run",
      "Engine.tryTool",
    ],
    ...[
      "EngineRuns.resume",
      "EngineRuns.retry",
      "EngineRuns.undo",
      "EngineRuns.watch",
      "Project.bundle",
      "Project.check",
      "Project.diff",
      "Project.generate",
    ],
    ...["Project.lock", "Project.openEngine", "Project.repair"],
  ]);
  const other = await makeEmptyProject();
  await expect(other.lock(untyped({ chekc: true }))).rejects.toMatchObject({ hint: "Did you mean `check`?" });
  expect(other.lockfile).toBeUndefined();
});

test.each<[string, (project: Project) => Promise<unknown>]>([
  ["concurrency", (project) => project.openEngine({ concurrency: Number(undefined) })],
  ["concurrency", (project) => project.openEngine({ concurrency: 0 })],
  ["reuse", (project) => project.openEngine({ reuse: -1 })],
  ["timeoutMs", (project) => project.openEngine({ limits: { timeoutMs: "5" as unknown as number } })],
  ["timeoutMs", (project) => project.openEngine({ limits: { timeoutMs: 2 ** 31 } })],
  ["maxResultBytes", (project) => project.openEngine({ limits: { maxResultBytes: 0 } })],
])("the number `%s` is refused out of its range, which is named", async (name, open) => {
  const project = await makeEmptyProject();
  await expect(open(project)).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringMatching(new RegExp(`^openEngine|^limits`)) as string,
  });
  await expect(open(project)).rejects.toThrow(/it must be a whole number from \d+ to \d+ \(\w+\)/);
  await expect(open(project)).rejects.toThrow(name);
});

test("options of options are checked too", async () => {
  const project = await makeEmptyProject();
  const engine = await project.openEngine();
  onTestFinished(() => engine.close());
  const run = (options: object) => engine.run({ code: "1" }, untyped(options));
  await expect(run({ limits: { timeout: 5 } })).rejects.toMatchObject({ hint: "Did you mean `timeoutMs`?" });
  await expect(run({ durable: { suspendAfter: 5 } })).rejects.toMatchObject({ hint: "Did you mean `suspendAfterMs`?" });
  await expect(run({ dryRun: { onSkiped: () => 0 } })).rejects.toMatchObject({ hint: "Did you mean `onSkipped`?" });
  await expect(run("options" as unknown as object)).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

test("a script that is text, or has another key, is refused", async () => {
  const project = await makeEmptyProject();
  const hint = expect.stringContaining('{ code: "export default 1;" }') as string;
  for (const script of ["export default 1;", { source: "1" }, null])
    await expect(project.read(script as unknown as { code: string })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      hint,
    });
});
