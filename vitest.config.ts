import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import {
  APART,
  APPLICATIONS,
  AT_ALL_LEVELS,
  DOCUMENTS,
  LONG,
  NEWCOMER,
  ON_ALL_NODE_VERSIONS,
  OLDEST_NODE_VERSION,
  OTHER_NODE_VERSIONS,
  PAGES,
  PUBLISHED,
  RANDOM,
  SPECIFICATION,
} from "./test/sets/long-tests.ts";
import { SlowestFirst } from "./test/sets/slowest-first.ts";

/** Installs what only long tests need. */
const SET_UP = "test/sets/install-long.ts";
/** Needs a clone of the official suite, in the folder of this variable. */
const OFFICIAL_SUITE = process.env["JSON_SCHEMA_TEST_SUITE"] ? [] : ["test/templates/json-schema-test-suite.test.ts"];
const EXCLUDED = [...configDefaults.exclude, ".stryker-tmp/**", ...OFFICIAL_SUITE];

export default defineConfig({
  test: {
    // One more than the smallest machine has cores: a fifth of the time, tests wait for programs, disks and time-outs.
    maxWorkers: 3,
    setupFiles: "test/sets/count-costs.ts",
    reporters: ["default", "./test/sets/report-costs.ts"],
    sequence: { sequencer: SlowestFirst },
    // Transformed modules are kept by their content, in node_modules: the next run takes a fifth less time.
    experimental: { fsModuleCache: true },
    // Default imports of CommonJS packages as Node gives them.
    deps: { interopDefault: false },
    env: {
      // The tests' own projects are trusted, and what tests record stays out of the account that runs them.
      ...{ CODEMODE_TRUST: "1", XDG_STATE_HOME: resolve("node_modules/.cache/test-state") },
      // Commands that get a home of their own run from compiled code as well, which costs them a third of their processor time otherwise.
      XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
      // With certificates of the machine every Node takes four times as long to start, and tests speak to this machine alone.
      NODE_EXTRA_CA_CERTS: "",
    },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A limit ends what hangs, and measures nothing: the second that is the default is short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      project("fast", {
        include: ["test/**/*.test.ts"],
        exclude: [...EXCLUDED, ...LONG, ...APART, ...PUBLISHED, ...APPLICATIONS, ...DOCUMENTS, ...NEWCOMER, ...PAGES],
        isolate: false,
      }),
      project("fast-apart", { include: APART, exclude: EXCLUDED }),
      project("long", {
        ...{ include: LONG, exclude: EXCLUDED, isolate: false, globalSetup: SET_UP },
        env: { TEST_NODE_VERSIONS: process.env["TEST_NODE_VERSIONS"] ?? OLDEST_NODE_VERSION },
      }),
      project("versions", {
        ...{ include: ON_ALL_NODE_VERSIONS, isolate: false, globalSetup: SET_UP },
        env: { TEST_NODE_VERSIONS: OTHER_NODE_VERSIONS },
      }),
      project("published", {
        include: PUBLISHED,
        isolate: false,
        globalSetup: [SET_UP, "test/sets/install-published.ts"],
      }),
      project("pages", { include: PAGES, isolate: false, globalSetup: "test/sets/install-pages.ts" }),
      project("applications", {
        include: APPLICATIONS,
        isolate: false,
        globalSetup: [SET_UP, "test/sets/install-applications.ts"],
      }),
      project("documents", { include: DOCUMENTS, isolate: false }),
      project("newcomer", {
        include: NEWCOMER,
        isolate: false,
        globalSetup: ["test/sets/install-newcomer.ts", "test/newcomer/start-registry.ts"],
        testTimeout: 300_000,
        maxConcurrency: 2,
      }),
      project("cases", { include: RANDOM, isolate: false, env: { TEST_CASES: "all" } }),
      project("realm", { include: AT_ALL_LEVELS, isolate: false, env: { TEST_ISOLATION: "realm" } }),
      project("refresh", { include: [SPECIFICATION], isolate: false, env: { TEST_DRIFT: "refresh" } }),
      project("compartment", { include: AT_ALL_LEVELS, isolate: false, env: { TEST_ISOLATION: "compartment" } }),
    ],
  },
});

/** Without `isolate`, one process runs one file after the other: no test file changes what another one imports. */
function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}
