import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { AREAS } from "./areas.js";

const {
  tests,
  isBundled = false,
  nodeVersions = process.versions.node.split(".")[0],
} = AREAS[process.env.MUTATION_AREA];

export default defineConfig({
  // The package of the bindings leads to its compiled files, and the mutants are in its sources.
  resolve: { alias: isBundled ? [] : sourcesOf("runtime/bindings/package.json") },
  test: {
    include: tests,
    // Mutants are switched on and off in modules that are loaded once.
    isolate: false,
    deps: { interopDefault: false },
    env: { CODEMODE_TRUST: "1", ...(isBundled && { TEST_NODE_VERSIONS: nodeVersions }) },
    setupFiles: `scripts/mutation/${isBundled ? "activate-in-sandbox" : "few-samples"}.js`,
    // A mutant that never ends is ended by the limit of the trial.
    testTimeout: 15_000,
    // Where the hook of a file is too slow no test of it runs, and every mutant survives: a database starts in one.
    hookTimeout: 20_000,
  },
});

function sourcesOf(manifest) {
  const { name, exports } = JSON.parse(readFileSync(manifest, "utf8"));
  return Object.entries(exports).flatMap(([key, place]) => {
    const file = place.node ?? place.default;
    if (!file?.startsWith("./dist/")) return [];
    const source = resolve(file.replace("./dist/", "").replace(/\.js$/, ".ts")).replace("*", "$1");
    return [{ find: new RegExp(`^${name}${key.slice(1).replace("*", "(.*)")}$`), replacement: source }];
  });
}
