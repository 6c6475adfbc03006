import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { openTasks } from "../../bench/tasks/score/open-tasks.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { readTasks } from "../../bench/tasks/score/read-tasks.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { scoreAll } from "../../bench/tasks/score/score-all.js";
import { KEY, makeEvaluation } from "./evaluation.ts";

interface TaskScore {
  id: string;
  size: string;
  calls: string;
  failure?: string;
  typeErrors?: string[];
  plain: number;
  codemode: Record<string, number>;
  search: { tool: string; byText: number | null; byWords: number | null }[];
}

interface Scores {
  lists: Record<string, number>;
  tasks: TaskScore[];
  mistakes: { id: string; codes: string[]; missing?: string[] }[];
}

interface Opened {
  world: { blank(text: string): string; fillIn(text: string): string };
  close(): Promise<void>;
}

let opened: Opened;
let tasks: { id: string; script: string }[];
let scores: Scores;
let committed: Scores;

beforeAll(async () => {
  committed = JSON.parse(await readFile("bench/tasks/results.json", "utf8")) as Scores;
  opened = (await openTasks()) as Opened;
  tasks = (await readTasks()) as typeof tasks;
  scores = (await scoreAll(opened, tasks)) as Scores;
}, 120_000);

afterAll(async () => opened?.close());

describe("the tasks of bench/tasks", () => {
  test("there are four in each cell of the design", () => {
    const count = (size: string, calls: string) =>
      scores.tasks.filter((task) => task.size === size && task.calls === calls).length;
    for (const size of ["simple", "complex"]) {
      for (const calls of ["independent", "sequential", "iterative"])
        expect(count(size, calls), `${size}, ${calls}`).toBeGreaterThanOrEqual(4);
    }
  });

  test("each reference script passes the type check, runs and reaches its end state", () => {
    const failed = scores.tasks.filter(({ failure, typeErrors }) => failure ?? typeErrors);
    expect(failed).toEqual([]);
  });

  test("the needed tools stand where the committed results have them", () => {
    const listPlaces = ({ tasks }: Scores) => tasks.map(({ id, search }) => ({ id, search }));
    expect(listPlaces(scores)).toEqual(listPlaces(committed));
  });

  test("tokens are those of the committed results, within two in a hundred", () => {
    for (const { id, plain, codemode } of scores.tasks) {
      const before = committed.tasks.find((task) => task.id === id);
      for (const [name, tokens] of Object.entries({ plain, ...codemode })) {
        const expected = { plain: before?.plain, ...before?.codemode }[name] ?? 0;
        expect(Math.abs(tokens - expected), `${id}: ${name} is ${tokens}, was ${expected}`).toBeLessThanOrEqual(
          expected * 0.02 + 2,
        );
      }
    }
  });

  test("the answer to each mistake holds the fix", () => {
    expect(scores.mistakes.length).toBeGreaterThanOrEqual(30);
    expect(scores.mistakes.filter(({ missing }) => missing !== undefined)).toEqual([]);
    // A failed run waits a second for its type errors, which may come later on a busy machine.
    const certain = (mistakes: typeof scores.mistakes) =>
      mistakes.map(({ codes, ...mistake }) => ({
        ...mistake,
        codes: codes.filter((code, index) => index === 0 || code !== "TYPE_ERROR"),
      }));
    expect(certain(scores.mistakes)).toEqual(certain(committed.mistakes));
  });
});

describe.each(["openai", "anthropic"])("an evaluation through the API of %s", (api) => {
  const NOTE = "Follow the script: {id}";
  const some = () => tasks.filter(({ id }) => ["hotfix", "regions"].includes(id));
  const place = (text: string) => opened.world.blank(opened.world.fillIn(text));

  test("a model's turns are recorded without the key, and replayed without the endpoint", async () => {
    const { endpoint, run, readCassettes } = await makeEvaluation(opened, some(), place);
    const settings = { api, toolsets: ["codemode"], note: NOTE };
    const rows = await run({ ...settings, mode: "record" });
    expect(rows).toMatchObject([
      { task: "regions", tools: "codemode", turns: 2, calls: 1 },
      { task: "hotfix", tools: "codemode", turns: 2, calls: 1 },
    ]);
    expect(rows.filter(({ failure }) => failure !== undefined)).toEqual([]);
    const cassettes = await readCassettes();
    expect(cassettes).toHaveLength(4);
    expect(cassettes.join("\n")).not.toContain(KEY);

    await endpoint.close();
    expect(await run({ ...settings, mode: "replay" })).toEqual(rows);
    await expect(run({ ...settings, mode: "live" })).rejects.toThrow("fetch failed");
    const changed = run({ ...settings, mode: "replay", note: `${NOTE} quickly` });
    await expect(changed).rejects.toThrow(/^No turn is recorded for this request.+Record it again: --record/s);
  });

  test("the same tasks with the plain tools, and an end state that is not reached", async () => {
    const { run } = await makeEvaluation(opened, some().slice(0, 1), place);
    const settings = { api, mode: "live", toolsets: ["plain"], note: "Follow the script: plain" };
    const [row] = await run(settings);
    expect(row).toMatchObject({ tools: "plain", turns: 4, calls: 3 });
    expect(row?.failure).toContain("Expected values to be strictly deep-equal");
  });
});

const LOADER = ["--no-warnings", "--import", "./test/strip-types.mjs"];

test.each([
  [["--task", "nowhere"], "There is no task nowhere. The tasks are: "],
  [["--turns", "many"], "--turns is a number from 1 on."],
])("an evaluation with %j is refused before anything starts", (words, problem) => {
  const env = { ...process.env, EVAL_API_KEY: "key" };
  const ended = spawnSync(process.execPath, [...LOADER, "bench/tasks/eval.js", "--model", "any", ...words], { env });
  expect([ended.status, ended.stderr.toString()]).toEqual([2, expect.stringContaining(problem)]);
});
