import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runTsc } from "./run-tsc.ts";

const GOLDEN = new URL("../golden/", import.meta.url);

describe("tsc --strict over the golden package and the scripts that use it", () => {
  it("accepts all of it, and refuses every line that must not compile", async () => {
    expect(await runTsc(fileURLToPath(new URL("tsconfig.json", GOLDEN)))).toEqual([]);
  });

  it("would see a mistake: a planted one is found, and nothing else", async () => {
    const lines = await runTsc(fileURLToPath(new URL("planted/tsconfig.json", GOLDEN)));
    expect(lines.filter((line) => line.includes("error TS"))).toEqual([
      expect.stringMatching(/wrong-argument\.ts\(4,\d+\): error TS2561: .*patern/),
    ]);
  });
});
