import { defineConfig } from "vitest/config";
import { COMMANDS } from "./commands.ts";

/** Long tests of the engines that need programs beside Node: `runsc`, `bwrap`, and workerd. Not part of `npm test`. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "engines", include: ["test/engines/*.engine.ts"] } },
      // The specification under each command.
      ...Object.entries(COMMANDS).map(([name, command]) => ({
        extends: true as const,
        test: { name, include: ["test/spec/{run,section-*}.test.ts"], env: { TEST_COMMAND: command.join(" ") } },
      })),
    ],
    env: { CODEMODE_TRUST: "1" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    deps: { interopDefault: false },
  },
});
