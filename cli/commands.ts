import { type CommandSpec, loadExtraCommand, type OptionSpec } from "./command.ts";

/** A command as it is written below: the options by their flags. */
type Row = Omit<CommandSpec, "options"> & {
  options?: Readonly<Record<string, string>>;
  /** Options that few need, by the title of their group. */
  more?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const ROWS: readonly Row[] = [
  {
    usage: "try",
    description: "Show what codemode does, with servers of its own; keeps no file",
    load: () => loadExtraCommand("try", "try"),
  },
  {
    usage: "init",
    isDaily: true,
    description: "Write codemode.config.json with the servers of your MCP clients",
    options: {
      "--from <file>": "Import the servers of this file only",
      "--servers <names>": "Import these servers only (NAME,NAME)",
      "--no-import": "Import no server",
    },
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    usage: "add <name>",
    isDaily: true,
    description: "Add a server (-- COMMAND, --url, --openapi, --from), test and lock it",
    details:
      "A name such as io.github.owner/weather, or io.github.owner/weather@1.2.0, is looked up in the MCP registry.",
    options: {
      "--from <file>": "Add the server that this server.json describes, a file or an address",
      "--env <name=value>": "Set an environment variable of the server (repeatable)",
      "--url <url>": "Connect to a remote server at this address",
      "--openapi <document>": "Add the API of this OpenAPI document (-- OPTIONS of @codemode/openapi)",
      "--header <name:value>": "Send this header to the remote server or the API (repeatable)",
    },
    load: async () => (await import("./commands/add.ts")).add,
  },
  {
    usage: "remove <server>",
    description: "Remove a server from configuration, lockfile and generated package",
    load: async () => (await import("./commands/remove.ts")).remove,
  },
  {
    usage: "trust",
    description: "Show what this project starts, and trust it on this account",
    details: "Trust covers the programs, arguments, addresses and variables that the configuration names.",
    options: {
      "--list": "Show it only; record nothing",
      "--revoke": "Revoke the trust in this project",
    },
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    usage: "lock [...servers]",
    isDaily: true,
    description: "Snapshot the servers into the lockfile and print the changes",
    options: {
      "--check": "Write nothing; exit with 3 if something changed",
      "--repair": "Repair a broken lockfile: keep intact entries, lock the others again",
      "--json": "Print the changes as JSON",
    },
    load: async () => (await import("./commands/lock.ts")).lock,
  },
  {
    usage: "diff [...servers]",
    isDaily: true,
    description: "Compare live servers with the lockfile; exit with 3 if they differ",
    options: {
      "--format <format>": "Print the changes as json, markdown (for a pull request) or sarif",
      "--json": "Short for --format json",
      "--markdown": "Short for --format markdown",
    },
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    usage: "generate [...servers]",
    description: "Generate the server packages from the lockfile",
    options: {
      "--update": "Update the lockfile from the servers first",
      "--check": "Write nothing; exit with 3 if a file is out of date",
      "--watch": "Keep running and regenerate what a server changes",
      "--out <dir>": "Write to this folder instead of the configured one",
    },
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  {
    usage: "learn [...tools]",
    description: "Learn the shapes of results into the lockfile",
    details:
      "Tools are SERVER or SERVER/TOOL; all unless named. Shapes are types and names of fields, never a value. Without --from, it takes the shapes that runs have left while `learn.observe` is set.",
    options: {
      "--from <file>": "Learn from this recording (repeatable)",
      "--call": "Call tools that claim to be read-only, without arguments",
      "--input <json>": "Call the named tool with this input",
      "--dry-run": "Show what would be called and learned; call and write nothing",
      "--approve": "Approve the calls",
      "--forget": "Remove what was learned",
      "--check": "Write nothing; exit with 3 if something is new",
      "--json": "Print the changes as JSON",
    },
    load: () => loadExtraCommand("learn", "learn"),
  },
  {
    usage: "types [server[/tool]]",
    description: "Print the TypeScript declarations of servers or of one tool",
    details: "An agent sees the same declarations.",
    load: async () => (await import("./commands/types.ts")).types,
  },
  {
    usage: "tools [server]",
    description: "List the locked tools",
    options: { "--json": "Print the tools as JSON" },
    load: async () => (await import("./commands/tools.ts")).tools,
  },
  {
    usage: "search <...query>",
    description: "Search the locked tools; print their TypeScript signatures",
    options: {
      "--server <id>": "Search the tools of this server only",
      "--limit <n>": "Print at most this many tools (default: 10)",
      "--json": "Print the tools as JSON",
    },
    load: async () => (await import("./commands/search.ts")).search,
  },
  {
    usage: "call <tool> [json]",
    description: "Call one tool (SERVER/TOOL) with JSON input, or - for stdin",
    options: {
      "--json": "Print the whole MCP result",
      "--frozen": "Fail if the lockfile is missing or the server has drifted",
      "--approve": "Approve the call if the policy asks",
    },
    load: async () => (await import("./commands/call.ts")).call,
  },
  {
    usage: "run [script]",
    isDaily: true,
    description: "Run a script in a sandbox: a file, a configured name, -, or --eval",
    details:
      "The script is a file, a name in `scripts` of the configuration, a pinned bundle, or - for stdin. A bare name (no folder, no extension) is looked up in `scripts` first.",
    options: {
      "--eval <code>": "Run this code instead of a file",
      "--input <json>": "Set the input, which the script reads as `globalThis.__codemode_input__`",
      "--json": "Print the whole answer: logs, result, diagnostics, tool trace",
      "--frozen": "Fail if the lockfile is missing or a server has drifted",
      "--approve": "Approve all calls of this run that the policy asks about",
      "--dry-run": "Call read-only tools only; list other calls and return placeholders",
      "--timeout <ms>": "Limit the wall-clock time, in milliseconds",
      "--record <file>": "Record the run to a file, for `codemode replay`",
      "--report <file>": "Write an HTML report: time line, sizes, logs, diagnostics",
      "--durable": "Keep the run: it survives this process, see `codemode runs`",
    },
    more: {
      "Input and identity": {
        "--input-file <file>": "Read the input from a JSON file",
        "--key <key>": "Set the idempotency key of the run, which servers get with each call",
      },
      "Many inputs": {
        "--inputs <file>": "Run once per line of a file (- for standard input); print JSON Lines",
        "--shard <part>": "With --inputs: run one part of the inputs, 2/4 for instance",
        "--retries <n>": "With --inputs: try runs again whose failure passes (default: 3)",
        "--concurrency <n>": "With --inputs: run this many at a time (default: 4)",
        "--journal <file>": "With --inputs: journal of finished inputs",
        "--continue": "With --inputs: keep what another version of the script has done",
        "--batch <name>": "Name of a batch in serve.store, whose inputs any number of processes run",
        "--results": "With a journal or --batch: print the results so far, and run nothing",
      },
      "Durable runs": {
        "--wait <ms>": "With --durable: wait so long for a person, then exit with 4",
        "--from <id>": "Go on with a durable run that has ended, with this script; it is durable too",
        "--undo <id>": "Take back a durable run that has ended: the script gets its calls, the last first",
      },
      Limits: {
        "--max-memory <bytes>": "Limit the memory, in bytes",
        "--max-tool-calls <n>": "Limit the number of tool calls",
        "--max-log-bytes <n>": "Limit the console output that is kept, in bytes",
      },
      "Recordings and reports": {
        "--redact <pattern>": "With --record: redact values of this name (repeatable)",
        "--report-payloads": "With --report: include the start of inputs, outputs and result",
      },
    },
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    usage: "runs [id]",
    description: "List the durable runs of this project, or show one",
    details: "A run is durable by `codemode run --durable`, `durable` of the library, or `serve.durable`.",
    options: {
      "--resume": "Go on with it: with its calls, and the questions to a person at this terminal",
      "--retry": "Go on with one that has failed: make the calls again that failed last",
      "--approve": "With --resume or --retry: approve all calls that the policy asks about",
      "--wait <ms>": "With --resume or --retry: wait so long for a person, then exit with 4",
      "--export <file>": "Write it to a file as a recording, for `codemode replay`",
      "--cancel": "Cancel it",
      "--prune": "Remove runs that ended 30 days ago; with an id, that run",
      "--json": "Print them as JSON",
    },
    load: () => loadExtraCommand("durable", "runs"),
  },
  {
    usage: "replay <recording> [script]",
    description: "Replay a recording without servers and report where it diverges",
    details:
      "A recording is a file, or the id of a durable run. With a script, that script runs against the recorded tool results.",
    options: {
      "--update": "Update the recording with the differences",
      "--report <file>": "Write an HTML report: time line, sizes, logs, diagnostics",
      "--report-payloads": "With --report: include the start of inputs, outputs and result",
      "--json": "Print the whole answer: logs, result, diagnostics, tool trace",
    },
    load: () => loadExtraCommand("record", "replay"),
  },
  {
    usage: "check [script]",
    isDaily: true,
    description: "Type-check a script and show its tool calls, without running it",
    options: {
      "--all": "Check all scripts of the configuration",
      "--eval <code>": "Check this code instead of a file",
      "--json": "Print diagnostics and manifest as JSON",
      "--strict": "Fail if the types could not be checked to the end",
    },
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    usage: "bundle [script]",
    description: "Pin a script to the lockfile, as one file for `codemode run`",
    details: "Without a script, all scripts that name a `source` in the configuration are bundled.",
    options: {
      "-o, --out <file>": "Write to this file, which ends in .json",
      "--check": "Write nothing; exit with 3 if the file is out of date",
      "--eval <code>": "Bundle this code instead of a file",
      "--frozen": "Fail if lockfile or generated package is missing or out of date",
    },
    load: async () => (await import("./commands/bundle.ts")).bundle,
  },
  {
    usage: "pack [...servers]",
    description: "Pack servers as npm packages with a version and a changelog",
    details: "Each server becomes one tarball. Version and changelog follow from the changes since the last release.",
    options: {
      "--name <name>": "Name the package of one server (default: codemode-SERVER)",
      "--scope <scope>": "Put the packages in a scope: @acme gives @acme/SERVER-tools",
      "--out <dir>": "Write the tarballs to this folder (default: packages)",
      "--previous <file>": "Compare with this release (default: the newest in that folder)",
      "--as <version>": "Use this version instead of the proposed one",
      "--verify <tarball>": "Pack this one again from its lock entry and compare the bytes",
      "--frozen": "Fail if the lockfile is missing",
    },
    load: () => loadExtraCommand("publish", "pack"),
  },
  {
    usage: "login <server>",
    description: "Log in to a remote server with OAuth",
    details: "The tokens are stored in your state folder.",
    options: {
      "--no-browser": "Open no browser, and take the address that one elsewhere ends on",
    },
    load: async () => (await import("./commands/login.ts")).loginCommand,
  },
  {
    usage: "logout <server>",
    description: "Delete the login to a remote server",
    load: async () => (await import("./commands/login.ts")).logoutCommand,
  },
  {
    usage: "doctor [...servers]",
    isDaily: true,
    description: "Check machine and project and suggest fixes; exit with 1 on a problem",
    options: { "--json": "Print all findings as JSON" },
    load: () => loadExtraCommand("doctor", "doctor"),
  },
  {
    usage: "serve",
    description: "Serve code mode to agents as an MCP server, on stdio or over HTTP",
    options: {
      "--surface <kind>": "Choose the tools that the agent sees: run (default), search or files",
      "--tool-name <name>": "Name the run tool (default: codemode.run, or codemode_run by client)",
      "--http <address>": "Serve over HTTP at [HOST:]PORT: MCP at /mcp, health at /health",
      "--metrics <address>": "With --http: serve Prometheus metrics at [HOST:]PORT/metrics",
      "--frozen": "Refuse scripts whose servers have drifted",
      "--log-level <level>": "Set the minimum log level: silent, error, warn, info or debug",
    },
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    usage: "approvals [id]",
    description: "List or answer the questions of runs that wait for a person",
    details:
      "An approval is for one run or one call, and needs your passphrase. Runs of `serve` wait for ten minutes, durable ones as long as it takes.",
    options: {
      "--approve": "Approve it, with your passphrase, in a terminal of your own",
      "--for-run": "With --approve: approve all later calls of the tool in this run, too",
      "--refuse": "Refuse it",
      "--reason <text>": "With --refuse: the reason that the script gets",
      "--change <json>": "Make the call with these arguments in the place of its own, with your passphrase",
      "--answer <json>": "Give the script this result in the place of the call, with your passphrase",
      "--watch": "Show new approvals as they come, until Ctrl+C",
      "--setup": "Set the passphrase of this account",
      "--json": "Print the waiting approvals as JSON",
    },
    load: async () => (await import("./commands/approvals.ts")).approvals,
  },
  {
    usage: "ui",
    description: "Open the local web UI: browse tools, write and run scripts",
    options: {
      "--port <n>": "Listen on this loopback port (default: any free port)",
      "--no-open": "Print the address without opening a browser",
    },
    load: () => loadExtraCommand("ui", "ui"),
  },
  {
    usage: "install <client>",
    isDaily: true,
    description: "Add codemode to an MCP client: claude-code, cursor, vscode, codex, …",
    options: {
      "--print": "Print the entry; write nothing",
      "--project": "Write to the client's file in this project (the default if it has one)",
      "--user": "Write to the client's file of your user account",
      "--name <name>": "Name the entry (default: codemode)",
      "--http <url>": "Connect the client to a running codemode at this address",
      "--token-env <name>": "With --http: name the variable with the token (default: `serve.token`)",
      "--move": "Take the servers that codemode serves out of the client's file",
      "--skill": "Write a skill for agents with a shell, instead of an entry",
      "--force": "Replace an entry or skill of the same name that is not codemode",
    },
    load: () => loadExtraCommand("install", "install"),
  },
  {
    usage: "uninstall <client>",
    description: "Remove codemode from an MCP client and put moved servers back",
    options: {
      "--project": "Change the client's files in this project only",
      "--user": "Change the client's files of your user account only",
      "--name <name>": "Name of the entry (default: codemode)",
      "--force": "Remove an entry of that name that is not codemode",
    },
    load: () => loadExtraCommand("install", "uninstall"),
  },
  {
    usage: "completion <shell>",
    description: "Print a completion script for bash, zsh, fish or powershell",
    load: () => loadExtraCommand("completion", "completion"),
  },
];

const toOptions = (options: Readonly<Record<string, string>>, group?: string): OptionSpec[] =>
  Object.entries(options).map(([flag, description]) => ({ flag, description, group }));

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = ROWS.map(({ options = {}, more = {}, ...row }) => ({
  ...row,
  options: [...toOptions(options), ...Object.entries(more).flatMap(([title, rest]) => toOptions(rest, title))],
}));

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = toOptions({
  "--config <file>": "Use this configuration file",
  "--cwd <dir>": "Use this folder instead of the current one",
  "--trust": "Trust the configuration for this command, without asking",
  "--verbose": "Show the stack and details of errors",
});
