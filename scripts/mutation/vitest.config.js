import { defineConfig } from "vitest/config";
import { AREAS } from "./areas.js";

const {
  tests,
  isBundled = false,
  nodeVersions = process.versions.node.split(".")[0],
} = AREAS[process.env.MUTATION_AREA];

export default defineConfig({
  test: {
    include: tests,
    // Mutants are switched on and off in modules that are loaded once.
    isolate: false,
    deps: { interopDefault: false },
    env: { CODEMODE_TRUST: "1", ...(isBundled && { TEST_NODE_VERSIONS: nodeVersions }) },
    setupFiles: `scripts/mutation/${isBundled ? "activate-in-sandbox" : "few-samples"}.js`,
    testTimeout: 5_000,
    // Where the hook of a file is too slow no test of it runs, and every mutant survives: a database starts in one.
    hookTimeout: 20_000,
  },
});
