import { expect, test } from "vitest";
// @ts-expect-error -- the script is JavaScript
import { printCoverage, sumByLayer } from "../../scripts/sum-coverage.js";

const counts = (covered: number, total: number) => ({
  lines: { covered, total },
  branches: { covered: 0, total: 0 },
});

test("coverage is summed by layer, each file in the innermost one", () => {
  const layers: unknown = sumByLayer(
    {
      total: counts(9, 9),
      "/clone/engine/add.ts": counts(1, 2),
      "/clone/engine/run/host.ts": counts(1, 4),
      "/clone/engine/run/run-key.ts": counts(2, 4),
      "/clone/test/cli/host.test.ts": counts(1, 1),
    },
    "/clone",
  );
  expect(layers).toMatchObject([
    { layer: "engine/run", files: 2, lines: [3, 8] },
    { layer: "engine", files: 1, lines: [1, 2] },
  ]);
  expect(printCoverage(layers)).toContain("| `engine/run/` | 2 | 38 % | – |");
});
