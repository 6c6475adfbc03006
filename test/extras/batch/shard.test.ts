import { expect, test } from "vitest";
import { findShard, isInShard, parseShard, type Shard } from "../../../extras/batch/read-inputs.ts";

test("each line is in exactly one of the parts, which differ by one line at most", () => {
  const lines = Array.from({ length: 10 }, (_, index) => index + 1);
  const parts = [1, 2, 3].map((index) => lines.filter((line) => isInShard(line, { index, count: 3 })));
  expect(parts).toEqual([
    [1, 4, 7, 10],
    [2, 5, 8],
    [3, 6, 9],
  ]);
  expect(lines.filter((line) => isInShard(line, undefined))).toEqual(lines);
});

test("a part is written as one of so many", () => {
  expect(parseShard("2/4")).toEqual({ index: 2, count: 4 });
  for (const text of ["0/4", "5/4", "1", "/4", "1/0", "-1/4", "1.5/4", "1/4 "])
    expect(parseShard(text)).toBe(undefined);
});

const SLURM = { SLURM_ARRAY_TASK_MIN: "1", SLURM_ARRAY_TASK_STEP: "3", SLURM_ARRAY_TASK_COUNT: "4" };
const FOUND: [env: Record<string, string>, shard: Shard | undefined][] = [
  [{}, undefined],
  [
    { JOB_COMPLETION_INDEX: "0", JOB_COMPLETIONS: "4" },
    { index: 1, count: 4 },
  ],
  [
    { JOB_COMPLETION_INDEX: "3", JOB_COMPLETIONS: "4", CI_NODE_INDEX: "1" },
    { index: 4, count: 4 },
  ],
  [
    { SLURM_ARRAY_TASK_ID: "0", SLURM_ARRAY_TASK_COUNT: "2" },
    { index: 1, count: 2 },
  ],
  [
    { SLURM_ARRAY_TASK_ID: "7", ...SLURM },
    { index: 3, count: 4 },
  ],
  [
    { CI_NODE_INDEX: "1", CI_NODE_TOTAL: "3" },
    { index: 1, count: 3 },
  ],
];

test.each(FOUND)("of %o follows %o", (env, shard) => {
  const found = findShard(env);
  expect(found && "shard" in found ? found.shard : found).toEqual(shard);
});

test.each([
  [{ JOB_COMPLETION_INDEX: "0" }, "JOB_COMPLETIONS"],
  [{ JOB_COMPLETION_INDEX: "4", JOB_COMPLETIONS: "4" }, "JOB_COMPLETIONS"],
  [{ SLURM_ARRAY_TASK_ID: "1" }, "SLURM_ARRAY_TASK_COUNT"],
  [{ SLURM_ARRAY_TASK_ID: "2", ...SLURM }, "_STEP"],
  [{ CI_NODE_INDEX: "x", CI_NODE_TOTAL: "2" }, "CI_NODE_TOTAL"],
])("of %o follows no part, rather than all inputs", (env, needed) => {
  expect(findShard(env)).toHaveProperty("problem", expect.stringContaining(needed));
});
