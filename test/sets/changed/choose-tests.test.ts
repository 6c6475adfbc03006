import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transformSync } from "oxc-transform";
import { describe, expect, test } from "vitest";
import type { FileCosts } from "../count-costs.ts";
import { chooseTests } from "./choose-tests.ts";
import { findTests, type Importers, readImporters } from "./import-graph.ts";
import { STARTED_BY } from "./started-programs.ts";

const SOURCE = /^(?:cli|engine|extras|library|openapi|runtime|schemas|serve|templates)\/.*(?<!\.d)\.ts$/;

const listed = execFileSync("git", ["ls-files"], { encoding: "utf8", maxBuffer: 2 ** 26 })
  .split("\n")
  .filter(Boolean);
const importers = readImporters(listed);

describe("the tests that a file reaches", () => {
  test("each source that does anything reaches one", () => {
    const unreached = listed.filter((file) => SOURCE.test(file) && findTests(importers, file).size === 0);
    expect(unreached.filter(runs)).toEqual([]);
  });

  test("each program of the table is there, and a test of its own stands beside it", () => {
    for (const [program, starters] of Object.entries(STARTED_BY)) {
      expect(listed).toEqual(expect.arrayContaining([program, ...starters]));
      expect(starters, program).toContainEqual(expect.stringMatching(/\.test\.ts$/));
    }
  });

  test.each([
    ["by an import", "schemas/numbers.ts", "test/schemas/numbers.test.ts", 1],
    ["by the name of the package", "library/index.ts", "test/library/callbacks.test.ts", 1],
    ["by a path that is read", "docs/own-tools.md", "test/docs/own-tools.test.ts", 1],
    ["by the extra that it loads", "extras/durable/open-durable-runs.ts", "test/library/runs-in-memory.test.ts", 6],
    ["by the process that it starts", "engine/check/process/main.ts", "test/e2e/check.test.ts", 1],
    ["by the sandbox that runs it", "runtime/sandbox/realm/lockdown.ts", "test/sandbox/realm/boot.test.ts", 2],
    ["as a test itself", "test/schemas/numbers.test.ts", "test/schemas/numbers.test.ts", 0],
  ])("%s", (_, file, reached, distance) => {
    expect(findTests(importers, file).get(reached)).toBe(distance);
  });

  test("not by an import of types alone", () => {
    const types: Importers = readImporters(["schemas/numbers.ts", "library/check-result.ts", "library/engine.ts"]);
    expect(types.get("library/check-result.ts")).toBeUndefined();
  });
});

describe("the tests that are chosen", () => {
  const cost = (processorMs: number, processes = 0, wallMs = processorMs): FileCosts => ({
    ...{ wallMs, processorMs, processes },
    ...{ engines: 0, sleptMs: 0 },
  });
  const costs = {
    "test/a.test.ts": cost(500),
    "test/far/b.test.ts": cost(9_000),
    "test/cheap.test.ts": cost(10),
    "test/many.test.ts": cost(100, 100),
    "test/waits.test.ts": cost(100, 0, 20_000),
  };
  const choose = (file: string, tests: Record<string, number>, mostMs: number) =>
    chooseTests([{ file, tests: new Map(Object.entries(tests)) }], costs, mostMs);

  test("begin with the test of the same name, at any cost, then with the nearest and cheapest", () => {
    const tests = { "test/a.test.ts": 1, "test/cheap.test.ts": 1, "test/far/b.test.ts": 3 };
    expect(choose("schemas/b.ts", tests, 20_000).chosen).toEqual([
      "test/far/b.test.ts",
      "test/cheap.test.ts",
      "test/a.test.ts",
    ]);
  });

  test("end where they take too long, with processes and waits counted, and name what is left", () => {
    const tests = { "test/cheap.test.ts": 1, "test/many.test.ts": 2, "test/waits.test.ts": 2, "test/a.test.ts": 3 };
    expect(choose("schemas/c.ts", tests, 1_000)).toEqual({
      chosen: ["test/cheap.test.ts", "test/a.test.ts"],
      left: ["test/waits.test.ts", "test/many.test.ts"],
    });
  });

  test("are shared between the files that have changed", () => {
    const reached = ["test/cheap.test.ts", "test/a.test.ts"].map((test) => ({
      file: "schemas/c.ts",
      tests: new Map([[test, 1]]),
    }));
    expect(chooseTests(reached, costs, 0).chosen).toEqual(["test/cheap.test.ts", "test/a.test.ts"]);
  });
});

/** Whether anything of a source is left without its types. */
function runs(file: string): boolean {
  const { code } = transformSync(file, readFileSync(file, "utf8"));
  return code.replaceAll(/^export \{\s*\};|^import "[^"]+";|^\/\/.*$|\/\*[\s\S]*?\*\//gm, "").trim() !== "";
}
