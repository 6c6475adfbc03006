/**
 * The tests that `npm test` leaves to `npm run test:long`: files that start many processes, take more than a second and a half of processor time, or need
 * packages that `npm ci` does not install. A file that no pattern names is in `npm test`.
 */
export const LONG = [
  "test/e2e/!(call|inspector|pack|policy|published-stories|publishing).test.ts",
  "test/e2e/packages-in-scripts.test.ts",
  "test/{bindings,differential,escape,fuzz}/**/*.test.ts",
  "test/docs/{programs,web-servers}.test.ts",
  "test/deploy/{gateway,node-of-the-image,project}.test.ts",
  "test/engine/{load-config,open-database,process/answering-process,project/incremental,run/host}.test.ts",
  "test/engine/bundle/{allowed-packages,linked-tools,refused-packages,tool-names,undeclared-names,white-space}.test.ts",
  "test/engine/check/{check-script,mistakes,observed}.test.ts",
  "test/extras/durable/{answers,appends,batch-inputs,changed-tools,chaos,clock-steps,decisions,durable-runs,faults,heads,message-model,projections}.test.ts",
  "test/extras/durable/{refused-statements,script-approval,spent-answers,stores,suspend-anywhere,targets}.test.ts",
  "test/extras/install/{move-servers,uninstall-bytes}.test.ts",
  "test/extras/learn/{canaries,learn,learn-from-runs,real-servers}.test.ts",
  "test/extras/publish/verify.test.ts",
  "test/extras/record/{divergence,interleavings,redaction,renewed-process,replay}.test.ts",
  "test/extras/stores/databases.test.ts",
  "test/extras/ui/list-runs.test.ts",
  "test/files/text-limits.test.ts",
  "test/host/real-schemas.test.ts",
  "test/library/{approve-calls,caller-context,code-mode,contexts,open-project,options-by-server}.test.ts",
  "test/library/{own-tool-rights,own-tool-users,values-of-programs,wrong-options}.test.ts",
  "test/mcp/connections/{calls,connection-set,eras,http-calls,http-connecting,http-hostile,questions,real-http-servers}.test.ts",
  "test/mcp/connections/{login-processes,real-servers,resources-and-prompts,shutdown,start,tasks,tool-list}.test.ts",
  "test/openapi/{attacks,call-key,command,examples,original-accepts}.test.ts",
  "test/platforms/processor-time.test.ts",
  "test/sandbox/pool/{command,diagnostics,held-runtime,hostile-frames,idle-processes,limits,memory-bombs}.test.ts",
  "test/sandbox/pool/{player-model,pool}.test.ts",
  "test/sandbox/realm/{boot,globals,run-globals,time-zone,web-globals}.test.ts",
  "test/scripts/{build-linked,dependencies,engine-face,linear-expressions}.test.ts",
  "test/serve/agent-mistakes.test.ts",
  "test/serve/surfaces/{make-view,types-budget}.test.ts",
  "test/sets/install-packages.test.ts",
  "test/spec/section-{10,11,4,5,6,7,8}-*.test.ts",
  "test/templates/{corpus,emit,generator-habits,golden-verdicts,hostile-input,run,signature,verdicts}.test.ts",
];

/** Tests whose file has a process of its own: they look at what it has loaded, or measure its time. */
export const APART = ["test/engine/project/emit-apart.test.ts", "test/mcp/connections/wire.test.ts"];

/** What holds a script back, what a replay repeats and what Node warns of depend on the version of Node: these run on each. */
export const ON_ALL_NODE_VERSIONS = [
  "test/e2e/standard-output.test.ts",
  "test/extras/record/replay.test.ts",
  "test/escape/{dead-realm,escape,frozen,layers,layers-of-boot,layers-of-code,leaks}.test.ts",
  "test/sandbox/realm/{globals,run-globals,time-zone,web-globals}.test.ts",
];

/**
 * Tests of the published parts: the packages, their types under four compilers, the site, the action, the examples, agent frameworks, the benchmark of
 * tasks, and a clone without extras: `npm run test:published`.
 */
export const PUBLISHED = [
  "test/e2e/{inspector,pack,published-stories,publishing}.test.ts",
  "test/{action,frameworks,site}/**/*.test.ts",
  "test/docs/{examples,library-examples}.test.ts",
  "test/examples.test.ts",
  "test/extras/{deletable,try}.test.ts",
  "test/scripts/release.test.ts",
  "test/bench/tasks.test.ts",
  "test/cli/diff/published-diff.test.ts",
  "test/extras/publish/{package,package-sizes}.test.ts",
];

/**
 * Applications with an API, large documents such as GitHub's, and web frameworks, which take long to install and to start:
 * `npm run test:applications`.
 */
export const APPLICATIONS = [
  "test/openapi/{document-types,github,github-drift,real-apis}.test.ts",
  "test/web-frameworks/*.test.ts",
];

/**
 * Real documents of twelve APIs, which are no part of the repository: added, locked, generated, compiled and called, and every schema compared with
 * what its tool says: `npm run test:documents`.
 */
export const DOCUMENTS = ["test/documents/*.test.ts"];

/** The web UI and the report in a browser: `npm run test:pages`. */
export const PAGES = [
  "test/browser/*.test.ts",
  "test/extras/ui/{approvals,first-start,observed-runs,page,runs-page}.test.ts",
];

/** The pages and the packages as a newcomer meets them: `npm run newcomer`. */
export const NEWCOMER = ["test/newcomer/*.test.ts"];

/** The long tests run on the oldest; `npm run test:versions` on all others. */
export const OLDEST_NODE_VERSION = "20";
export const OTHER_NODE_VERSIONS = "22,24,26";

/** Tests that run again at the other two levels of isolation, in projects of these names: `npm run test:levels`. */
export const SPECIFICATION = "test/spec/{run,section-*}.test.ts";

export const AT_ALL_LEVELS = [SPECIFICATION, "test/sandbox/pool/memory-bombs.test.ts"];

/** Tests of many cases, most of them random: the long tests try a few of them, `npm run test:cases` all. */
export const RANDOM = [
  "test/e2e/several-hosts.test.ts",
  "test/extras/durable/{chaos,message-model}.test.ts",
  "test/extras/install/uninstall-bytes.test.ts",
  "test/extras/record/interleavings.test.ts",
  "test/fuzz/fuzz.test.ts",
  "test/host/real-schemas.test.ts",
  "test/sandbox/pool/player-model.test.ts",
  "test/templates/{corpus,hostile-input,verdicts}.test.ts",
];

/** The slowest files of each set, in the order in which they begin; what computes stands beside what waits. */
export const SLOWEST: readonly string[] = [
  "test/newcomer/readme.test.ts",
  "test/newcomer/tutorial.test.ts",
  "test/newcomer/stories.test.ts",
  "test/escape/escape.test.ts",
  "test/bindings/misbehaving-servers.test.ts",
  "test/e2e/untrusted-project.test.ts",
  "test/extras/durable/durable-runs.test.ts",
  "test/e2e/standard-output.test.ts",
  "test/docs/examples.test.ts",
  "test/e2e/serve-answers.test.ts",
  "test/extras/try.test.ts",
  "test/e2e/fresh-clone.test.ts",
  "test/e2e/named-scripts.test.ts",
  "test/e2e/client-policies.test.ts",
  "test/e2e/review.test.ts",
  "test/library/code-mode.test.ts",
  "test/e2e/main-job.test.ts",
  "test/library/approve-calls.test.ts",
  "test/extras/stores/databases.test.ts",
];
