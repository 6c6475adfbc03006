import { defineConfig } from "vitest/config";

/** The tests that run mutated code in their own process. Tests of the built command see the build, which holds no mutants. */
export default defineConfig({
  test: {
    include: [
      "test/{schemas,templates,host,serve,sandbox,guest,telemetry}/**/*.test.ts",
      "test/cli/{check,host,pack,serve,doctor,install,pipeline,bundle}/**/*.test.ts",
    ],
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
