import { describe, expect, test } from "vitest";
import { openCheckProject } from "./check-project.ts";
import { MISTAKES } from "./mistakes.ts";

const project = await openCheckProject();

describe("a hint that holds the fix, at the place of the mistake", () => {
  test.each(MISTAKES)("$title", async ({ script, code = "TYPE_ERROR", severity = "error", hint }) => {
    const offset = script.indexOf("⟪");
    const before = script.slice(0, offset).split("\n");
    const path = `script.ts:${before.length}:${(before.at(-1) ?? "").length + 1}`;
    const [first, ...others] = await project.diagnose(script.replace("⟪", ""));
    expect(first).toMatchObject({ code, severity, path });
    for (const part of hint) expect(first?.hint).toContain(part);
    // One mistake, one finding: what follows from it would only distract.
    expect(others).toEqual([]);
  });
});

test("thirty mistakes at least", () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(30);
});
