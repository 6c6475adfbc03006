import { resolve } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** What shares its process with no other file: some look at what their process has loaded, others import hooks of tests. */
const ALONE = ["test/cli/emit-apart.test.ts", "test/host/connections/**/*.test.ts"];

export default defineConfig({
  test: {
    // Tests start real servers and sandboxes, and wait for them a third of their time.
    maxWorkers: 3,
    // Default imports of CommonJS packages as Node gives them.
    deps: { interopDefault: false },
    // The tests' own projects are trusted, and what tests record stays out of the account that runs them.
    env: { CODEMODE_TRUST: "1", XDG_STATE_HOME: resolve("node_modules/.cache/test-state") },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // One process runs one file after the other: no test file changes what another one imports.
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ".stryker-tmp/**", ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
