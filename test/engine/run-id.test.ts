import { expect, test } from "vitest";
import { makeRunId, RUN_ID, toRunId } from "../../engine/run-id.ts";

test("an id begins with no dash, so it can be typed where options are", () => {
  const ids = Array.from({ length: 256 }, (_, first) => toRunId(Buffer.from([first, ...Buffer.alloc(15, 251)])));
  expect(ids.filter((id) => id.startsWith("-"))).toEqual([]);
  expect(ids.filter((id) => !RUN_ID.test(id))).toEqual([]);
  expect(ids.join("")).toContain("-");
});

test("no two ids are the same", () => {
  const ids = Array.from({ length: 1000 }, makeRunId);
  expect(new Set(ids).size).toBe(1000);
});
