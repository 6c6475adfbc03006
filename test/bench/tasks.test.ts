import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { openTasks } from "../../bench/tasks/score/open-tasks.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { readTasks } from "../../bench/tasks/score/read-tasks.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { scoreAll } from "../../bench/tasks/score/score-all.js";

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

let opened: { close(): Promise<void> };
let scores: Scores;
let committed: Scores;

beforeAll(async () => {
  committed = JSON.parse(await readFile("bench/tasks/results.json", "utf8")) as Scores;
  opened = (await openTasks()) as typeof opened;
  scores = (await scoreAll(opened, await readTasks())) as Scores;
}, 120_000);

afterAll(async () => opened?.close());

describe("the tasks of bench/tasks", () => {
  test("there are four in each cell of the design", () => {
    const cells = Object.groupBy(scores.tasks, ({ size, calls }) => `${size}, ${calls}`);
    expect(Object.keys(cells)).toHaveLength(6);
    for (const [cell, tasks = []] of Object.entries(cells)) expect(tasks.length, cell).toBeGreaterThanOrEqual(4);
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
    expect(scores.mistakes).toEqual(committed.mistakes);
  });
});
