// The programs of examples/, in the order of their page.

/** `source` is the script, where `name` is made of it. */
/** @typedef {{ name: string, source?: string, shows: string, program: "codemode" | "node", args: string[], isCounted: boolean }} Example */

/** @type {readonly Example[]} */
export const EXAMPLES = [
  script("filter-large-result.ts", "a call that returns 200 kB, of which a few lines come back"),
  script("join-two-servers.ts", "data of two servers, put together inside the sandbox"),
  script("loop-over-files.ts", "a loop that would be almost a hundred calls of an agent"),
  script("handle-errors.ts", "errors with a class each, a second attempt, results although some failed"),
  // Not counted: the server puts the time of day into what it sends.
  {
    ...script("resources-and-prompts.ts", "resources, templates and prompts beside tools, typed and locked"),
    isCounted: false,
  },
  {
    ...script("api-and-server/missing.ts", "[an API](api-and-server/orders.yaml) and a server, in one script"),
    args: ["run", "--cwd", "examples/api-and-server", "missing.ts"],
  },
  // Not counted: what it reads changes with every dependency.
  { ...script("licences.ts", "what `npm start` runs: filter a large file, write the finding down"), isCounted: false },
  {
    ...script(
      "pinned-in-ci/report.json",
      "a pinned script in CI, with its [script](pinned-in-ci/report.ts) and [workflow](pinned-in-ci/workflow.yml)",
    ),
    source: "pinned-in-ci/report.ts",
    args: [
      "run",
      "examples/pinned-in-ci/report.json",
      "--frozen",
      "--input",
      '{"packages":["ses","rollup","date-fns"]}',
    ],
  },
  {
    name: "plain-node/memory-report.js",
    shows: "a server's package in plain Node, without a sandbox",
    program: "node",
    args: ["examples/plain-node/memory-report.js"],
    isCounted: false,
  },
];

/** @returns {Example} */
function script(name, shows) {
  return { name, shows, program: "codemode", args: ["run", `examples/${name}`], isCounted: true };
}
