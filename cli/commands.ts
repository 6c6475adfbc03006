import type { CommandSpec, OptionSpec } from "./command.ts";

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flag: "--config <file>", description: "The configuration to use" },
  { flag: "--cwd <dir>", description: "The project folder, instead of the current one" },
  { flag: "--trust", description: "Start what the configuration names without the question, in this command" },
  { flag: "--verbose", description: "Show stacks and details of errors" },
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    usage: "init",
    description: "Write codemode.config.json with the servers of the MCP clients found here",
    options: [{ flag: "--from <file>", description: "Take the servers of this file only" }],
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    usage: "add <name>",
    description: "Add a server (-- COMMAND [ARGS...] or --url), connect once to prove that it works, and lock it",
    options: [
      { flag: "--env <name=value>", description: "A variable of the server; repeat for more" },
      { flag: "--url <url>", description: "The address of a remote server" },
      { flag: "--header <name:value>", description: "A header for a remote server; repeat for more" },
    ],
    load: async () => (await import("./commands/add.ts")).add,
  },
  {
    usage: "remove <server>",
    description: "Remove a server from the configuration, the lockfile and the generated package",
    options: [],
    load: async () => (await import("./commands/remove.ts")).remove,
  },
  {
    usage: "trust",
    description: "Show what this project starts and the variables it gets, and trust that on this account",
    options: [
      { flag: "--list", description: "Show it and record nothing" },
      { flag: "--revoke", description: "Forget what was trusted of this project" },
    ],
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    usage: "lock [...servers]",
    description: "Snapshot the servers into the lockfile and print what changed",
    options: [
      { flag: "--check", description: "Write nothing; exit with 3 when something changed" },
      { flag: "--repair", description: "Lock what a broken lockfile has lost, and keep what is intact in it" },
      { flag: "--json", description: "Print the changes as JSON" },
    ],
    load: async () => (await import("./commands/lock.ts")).lock,
  },
  {
    usage: "diff [...servers]",
    description: "Show how the live servers differ from the lockfile; exit with 3 when they do",
    options: [
      { flag: "--json", description: "Print the changes as JSON" },
      { flag: "--markdown", description: "Print the changes as Markdown, for a pull request" },
    ],
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    usage: "generate [...servers]",
    description: "Emit the server packages from the lockfile",
    options: [
      { flag: "--update", description: "Snapshot the servers again first" },
      { flag: "--check", description: "Write nothing; exit with 3 when a file is out of date" },
      { flag: "--watch", description: "Stay connected, and emit again what a server changes" },
      { flag: "--out <dir>", description: "The output folder, instead of the configured one" },
    ],
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  {
    usage: "types [server[/tool]]",
    description: "Print the TypeScript declarations of servers, or of one tool, as an agent sees them",
    options: [],
    load: async () => (await import("./commands/types.ts")).types,
  },
  {
    usage: "tools [server]",
    description: "List the locked tools",
    options: [{ flag: "--json", description: "Print the tools as JSON" }],
    load: async () => (await import("./commands/tools.ts")).tools,
  },
  {
    usage: "search <...query>",
    description: "Find locked tools by words, the best match first, each with its TypeScript signature",
    options: [
      { flag: "--server <id>", description: "Search the tools of this server only" },
      { flag: "--limit <n>", description: "At most so many tools (default: 10)" },
      { flag: "--json", description: "Print the tools as JSON" },
    ],
    load: async () => (await import("./commands/search.ts")).search,
  },
  {
    usage: "call <tool> [json]",
    description: "Call one tool (SERVER/TOOL) with all checks: input as JSON, or - for standard input",
    options: [
      { flag: "--json", description: "Print the whole MCP result" },
      { flag: "--frozen", description: "Refuse when the lockfile is missing or the server has drifted" },
      { flag: "--approve", description: "Consent to the call where the policy asks" },
    ],
    load: async () => (await import("./commands/call.ts")).call,
  },
  {
    usage: "run [script]",
    description:
      "Run a script in a sandbox: a file, the name of one in the configuration, a pinned bundle, - for standard input, or --eval. A word without folder and ending that is configured is the name",
    options: [
      { flag: "--eval <code>", description: "Run this code" },
      { flag: "--input <json>", description: "What the script reads at globalThis.__codemode_input__" },
      { flag: "--input-file <file>", description: "A JSON file with that input" },
      {
        flag: "--inputs <file>",
        description: "A file of JSON Lines: one run for each, one line of JSON on stdout for each",
      },
      { flag: "--concurrency <n>", description: "How many of these run at a time (default: 4)" },
      {
        flag: "--journal <file>",
        description: "What a batch knows of its past (default: the file of inputs with .journal)",
      },
      { flag: "--json", description: "Print the whole answer: logs, result, diagnostics, tool trace" },
      { flag: "--frozen", description: "Refuse when the lockfile is missing or a server has drifted" },
      { flag: "--approve", description: "Consent to the calls that the policy asks about, in this run" },
      {
        flag: "--dry-run",
        description:
          "Call only tools whose servers claim that they only read; list the other calls and answer placeholders",
      },
      { flag: "--timeout <ms>", description: "Wall-clock limit in milliseconds" },
      { flag: "--max-memory <bytes>", description: "Memory limit in bytes" },
      { flag: "--max-tool-calls <n>", description: "How many tool calls the script may make" },
      { flag: "--max-log-bytes <n>", description: "How much console output is kept" },
      { flag: "--record <file>", description: "Write everything that happens to a file, for `codemode replay`" },
      { flag: "--redact <pattern>", description: "With --record: keep values of this name out of it; repeat for more" },
      { flag: "--report <file>", description: "Write a page that shows the run: time line, sizes, logs, diagnostics" },
      {
        flag: "--report-payloads",
        description: "With --report: put the beginnings of inputs, outputs and result into the page",
      },
    ],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    usage: "replay <recording> [script]",
    description: "Run a recording again without any server, or a changed script against it, and say where it diverges",
    options: [
      { flag: "--update", description: "Take what differs over into the recording" },
      {
        flag: "--report <file>",
        description: "Write a page that shows the recording: time line, sizes, logs, diagnostics",
      },
      {
        flag: "--report-payloads",
        description: "With --report: put the beginnings of inputs, outputs and result into the page",
      },
      { flag: "--json", description: "Print the whole answer: logs, result, diagnostics, tool trace" },
    ],
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    usage: "check [script]",
    description: "Type-check a script, and show what it may call and what the policy says of that; runs nothing",
    options: [
      { flag: "--eval <code>", description: "Check this code" },
      { flag: "--json", description: "Print diagnostics and manifest as JSON" },
    ],
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    usage: "bundle [script]",
    description:
      "Pin a script with its bindings to the lockfile, as one file that `codemode run` takes. Without a script, all in the configuration that name their source",
    options: [
      { flag: "-o, --out <file>", description: "The file to write; it ends in .json" },
      { flag: "--check", description: "Write nothing; exit with 3 when the file does not follow from the script" },
      { flag: "--eval <code>", description: "Bundle this code" },
      { flag: "--frozen", description: "Refuse when the lockfile is missing or the generated package is out of date" },
    ],
    load: async () => (await import("./commands/bundle.ts")).bundle,
  },
  {
    usage: "pack [...servers]",
    description: "Make npm packages of servers, one tarball each, with a version and a changelog from what changed",
    options: [
      { flag: "--name <name>", description: "The package's name, for one server (default: codemode-SERVER)" },
      { flag: "--scope <scope>", description: "Put the packages in a scope: @acme makes @acme/SERVER-tools" },
      { flag: "--out <dir>", description: "The folder for the tarballs (default: packages)" },
      { flag: "--previous <file>", description: "The release before (default: the newest tarball in that folder)" },
      { flag: "--as <version>", description: "This version, instead of the proposed one" },
      { flag: "--frozen", description: "Refuse when the lockfile is missing" },
    ],
    load: async () => (await import("./commands/pack.ts")).pack,
  },
  {
    usage: "login <server>",
    description: "Log in to a remote server with OAuth; the tokens stay in your state folder",
    options: [],
    load: async () => (await import("./commands/login.ts")).login,
  },
  {
    usage: "logout <server>",
    description: "Forget the login to a remote server",
    options: [],
    load: async () => (await import("./commands/login.ts")).logout,
  },
  {
    usage: "doctor [...servers]",
    description: "Look at everything that has to work, and say what does not and what mends it; exit with 1 then",
    options: [{ flag: "--json", description: "Print all findings as JSON" }],
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    usage: "serve",
    description: "Serve code mode to an agent: an MCP server on standard input and output",
    options: [
      { flag: "--surface <kind>", description: "The tools that the agent sees: run (default), search or files" },
      { flag: "--tool-name <name>", description: "The name of the run tool (default: codemode.run)" },
      {
        flag: "--http <address>",
        description: "Serve over HTTP at [HOST:]PORT instead: MCP at /mcp, health at /health",
      },
      { flag: "--metrics <address>", description: "With --http: metrics for Prometheus at [HOST:]PORT, path /metrics" },
      { flag: "--frozen", description: "Refuse scripts whose servers have drifted" },
      { flag: "--log-level <level>", description: "The least that is logged: silent, error, warn, info or debug" },
    ],
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    usage: "ui",
    description: "Open a page on this machine to look at servers and tools, and to write and run scripts",
    options: [
      { flag: "--port <n>", description: "The port on the loopback address (default: any free one)" },
      { flag: "--no-open", description: "Open no browser; the address is printed" },
    ],
    load: async () => (await import("./commands/ui.ts")).ui,
  },
  {
    usage: "install <client>",
    description: "Write the entry that an MCP client needs to use codemode: claude-code, cursor, vscode, codex, …",
    options: [
      { flag: "--print", description: "Print the entry and write nothing" },
      { flag: "--project", description: "Into the client's file of this project (the default where it has one)" },
      { flag: "--user", description: "Into the client's file of your user account" },
      { flag: "--name <name>", description: "The name of the entry (default: codemode)" },
      { flag: "--http <url>", description: "Use a running codemode at this address" },
      { flag: "--force", description: "Replace an entry of that name which is not codemode" },
    ],
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    usage: "completion <shell>",
    description: "Print what makes bash, zsh, fish or powershell complete the words of codemode",
    options: [],
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];
