import { type CommandSpec, loadExtraCommand } from "../command.ts";

/** Commands that look at tools and run scripts. */
export const SCRIPT_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "types [server[/tool]]",
    description: "Print the TypeScript declarations of servers or of one tool",
    details: "The declarations are those that an agent sees.",
    options: [],
    load: async () => (await import("../commands/types.ts")).types,
  },
  {
    usage: "tools [server]",
    description: "List the locked tools",
    options: [{ flag: "--json", description: "Print the tools as JSON" }],
    load: async () => (await import("../commands/tools.ts")).tools,
  },
  {
    usage: "search <...query>",
    description: "Search the locked tools; print their TypeScript signatures",
    options: [
      { flag: "--server <id>", description: "Search the tools of this server only" },
      { flag: "--limit <n>", description: "Print at most this many tools (default: 10)" },
      { flag: "--json", description: "Print the tools as JSON" },
    ],
    load: async () => (await import("../commands/search.ts")).search,
  },
  {
    usage: "call <tool> [json]",
    description: "Call one tool (SERVER/TOOL) with JSON input, or - for stdin",
    options: [
      { flag: "--json", description: "Print the whole MCP result" },
      { flag: "--frozen", description: "Fail if the lockfile is missing or the server has drifted" },
      { flag: "--approve", description: "Approve the call if the policy asks" },
    ],
    load: async () => (await import("../commands/call.ts")).call,
  },
  {
    usage: "run [script]",
    description: "Run a script in a sandbox: a file, a configured name, -, or --eval",
    details:
      "The script is a file, a name in `scripts` of the configuration, a pinned bundle, or - for stdin. A bare name (no folder, no extension) is looked up in `scripts` first.",
    options: [
      { flag: "--eval <code>", description: "Run this code instead of a file" },
      {
        flag: "--input <json>",
        description: "Set the input, which the script reads as `globalThis.__codemode_input__`",
      },
      { flag: "--input-file <file>", description: "Read the input from a JSON file" },
      { flag: "--key <key>", description: "Set the idempotency key of the run, which servers get with each call" },
      {
        flag: "--inputs <file>",
        description: "Run once per line of a file (- for standard input); print JSON Lines",
      },
      { flag: "--shard <part>", description: "With --inputs: run one part of the inputs, 2/4 for instance" },
      { flag: "--retries <n>", description: "With --inputs: try runs again whose failure passes (default: 3)" },
      { flag: "--concurrency <n>", description: "With --inputs: run this many at a time (default: 4)" },
      {
        flag: "--journal <file>",
        description: "With --inputs: journal of finished inputs, a file or a postgres:// address",
      },
      { flag: "--batch <name>", description: "With a journal in PostgreSQL: name of the batch (default: default)" },
      { flag: "--results", description: "With a journal in PostgreSQL: print the results so far, and run nothing" },
      { flag: "--json", description: "Print the whole answer: logs, result, diagnostics, tool trace" },
      { flag: "--frozen", description: "Fail if the lockfile is missing or a server has drifted" },
      { flag: "--approve", description: "Approve all calls of this run that the policy asks about" },
      {
        flag: "--dry-run",
        description: "Call read-only tools only; list other calls and return placeholders",
      },
      { flag: "--timeout <ms>", description: "Limit the wall-clock time, in milliseconds" },
      { flag: "--max-memory <bytes>", description: "Limit the memory, in bytes" },
      { flag: "--max-tool-calls <n>", description: "Limit the number of tool calls" },
      { flag: "--max-log-bytes <n>", description: "Limit the console output that is kept, in bytes" },
      { flag: "--record <file>", description: "Record the run to a file, for `codemode replay`" },
      { flag: "--redact <pattern>", description: "With --record: redact values of this name (repeatable)" },
      { flag: "--report <file>", description: "Write an HTML report: time line, sizes, logs, diagnostics" },
      {
        flag: "--report-payloads",
        description: "With --report: include the start of inputs, outputs and result",
      },
    ],
    load: async () => (await import("../commands/run.ts")).run,
  },
  {
    usage: "replay <recording> [script]",
    description: "Replay a recording without servers and report where it diverges",
    details: "With a script, that script runs against the recorded tool results.",
    options: [
      { flag: "--update", description: "Update the recording with the differences" },
      {
        flag: "--report <file>",
        description: "Write an HTML report: time line, sizes, logs, diagnostics",
      },
      {
        flag: "--report-payloads",
        description: "With --report: include the start of inputs, outputs and result",
      },
      { flag: "--json", description: "Print the whole answer: logs, result, diagnostics, tool trace" },
    ],
    load: () => loadExtraCommand("record", "replay"),
  },
  {
    usage: "check [script]",
    description: "Type-check a script and show its tool calls, without running it",
    options: [
      { flag: "--all", description: "Check all scripts of the configuration" },
      { flag: "--eval <code>", description: "Check this code instead of a file" },
      { flag: "--json", description: "Print diagnostics and manifest as JSON" },
      { flag: "--strict", description: "Fail if the types could not be checked to the end" },
    ],
    load: async () => (await import("../commands/check.ts")).check,
  },
  {
    usage: "bundle [script]",
    description: "Pin a script to the lockfile, as one file for `codemode run`",
    details: "Without a script, all scripts that name a `source` in the configuration are bundled.",
    options: [
      { flag: "-o, --out <file>", description: "Write to this file, which ends in .json" },
      { flag: "--check", description: "Write nothing; exit with 3 if the file is out of date" },
      { flag: "--eval <code>", description: "Bundle this code instead of a file" },
      { flag: "--frozen", description: "Fail if lockfile or generated package is missing or out of date" },
    ],
    load: async () => (await import("../commands/bundle.ts")).bundle,
  },
  {
    usage: "pack [...servers]",
    description: "Pack servers as npm packages with a version and a changelog",
    details: "Each server becomes one tarball. Version and changelog follow from the changes since the last release.",
    options: [
      { flag: "--name <name>", description: "Name the package of one server (default: codemode-SERVER)" },
      { flag: "--scope <scope>", description: "Put the packages in a scope: @acme gives @acme/SERVER-tools" },
      { flag: "--out <dir>", description: "Write the tarballs to this folder (default: packages)" },
      { flag: "--previous <file>", description: "Compare with this release (default: the newest in that folder)" },
      { flag: "--as <version>", description: "Use this version instead of the proposed one" },
      { flag: "--verify <tarball>", description: "Pack this one again from its lock entry and compare the bytes" },
      { flag: "--frozen", description: "Fail if the lockfile is missing" },
    ],
    load: () => loadExtraCommand("publish", "pack"),
  },
];
