import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { runBundle } from "../../../runtime/sandbox/pool/run-bundle.ts";
import type { RunAnswer } from "../../../schemas/run/answer.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import { openPool } from "../realm/open-pool.ts";
import { LEVEL } from "../realm/isolation-under-test.ts";

/** Scripts that take memory without end, each in another way; nothing reads what they keep. `bench/memory-bombs.js` runs them on all versions of Node. */
const BOMBS = JSON.parse(readFileSync(new URL("./memory-bombs.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

const limits = { ...DEFAULTS.limits, maxMemoryBytes: 96 * 1024 * 1024 };

const pool = openPool({ maxMemoryBytes: limits.maxMemoryBytes, reuse: LEVEL.reuse });

/** Bundles a script as an agent sends it, and runs it. */
async function run(code: string): Promise<RunAnswer> {
  const bundled = await bundleScript(
    { code, name: "script.ts" },
    { generatedFolder: "", lockfile: { servers: new Map() } },
  );
  if (!bundled.ok) throw new Error(JSON.stringify(bundled.diagnostics));
  return runBundle(bundled.bundle, {
    ...{ pool, limits, trustDomain: LEVEL.trustDomain },
    handleCall: () => Promise.reject(new Error("no tools")),
  });
}

describe("a script that takes memory which nothing reads ends at maxMemoryBytes [11/resources]", () => {
  test.each(Object.entries(BOMBS))("%s", async (_title, code) => {
    const { diagnostics } = await run(code);
    expect(diagnostics).toMatchObject([{ code: "SANDBOX_LIMIT" }]);
    expect(diagnostics[0]?.message).toContain("maxMemoryBytes");
  });
});
