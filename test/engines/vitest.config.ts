import { defineConfig } from "vitest/config";

/** Long tests of the engines that need programs beside Node: `runsc`, `bwrap`, and workerd. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/engines/*.engine.ts"],
    env: { CODEMODE_TRUST: "1" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    deps: { interopDefault: false },
  },
});
