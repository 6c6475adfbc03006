import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests start real servers and sandboxes; on two cores they take turns.
    maxWorkers: 2,
    // Default imports of CommonJS packages as Node gives them.
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
