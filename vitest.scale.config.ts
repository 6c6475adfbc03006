import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** `npm run test:scale`: many processes on real queues and databases, for minutes. */
export default defineConfig({
  test: {
    include: ["test/scale/**/*.scale.ts"],
    fileParallelism: false,
    globalSetup: ["test/scale/scale-table.ts"],
    deps: { interopDefault: false },
    env: { CODEMODE_TRUST: "1", XDG_STATE_HOME: resolve("node_modules/.cache/test-state") },
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
});
