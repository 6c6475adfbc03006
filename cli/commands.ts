import type { CommandSpec } from "./command.ts";

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    usage: "init",
    description: "Write codemode.config.json with the servers of your MCP clients",
    options: [{ flag: "--from <file>", description: "Import the servers of this file only" }],
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    usage: "add <name>",
    description: "Add a server (-- COMMAND [ARGS...] or --url), test it and lock it",
    options: [
      { flag: "--env <name=value>", description: "Set an environment variable of the server (repeatable)" },
      { flag: "--url <url>", description: "Connect to a remote server at this address" },
      { flag: "--header <name:value>", description: "Send this header to the remote server (repeatable)" },
    ],
    load: async () => (await import("./commands/add.ts")).add,
  },
  {
    usage: "remove <server>",
    description: "Remove a server from configuration, lockfile and generated package",
    options: [],
    load: async () => (await import("./commands/remove.ts")).remove,
  },
  {
    usage: "trust",
    description: "Show what this project starts, and trust it on this account",
    details: "Trust covers the programs, arguments, addresses and variables that the configuration names.",
    options: [
      { flag: "--list", description: "Show it only; record nothing" },
      { flag: "--revoke", description: "Revoke the trust in this project" },
    ],
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    usage: "lock [...servers]",
    description: "Snapshot the servers into the lockfile and print the changes",
    options: [
      { flag: "--check", description: "Write nothing; exit with 3 if something changed" },
      { flag: "--repair", description: "Repair a broken lockfile: keep intact entries, lock the others again" },
      { flag: "--json", description: "Print the changes as JSON" },
    ],
    load: async () => (await import("./commands/lock.ts")).lock,
  },
  {
    usage: "diff [...servers]",
    description: "Compare live servers with the lockfile; exit with 3 if they differ",
    options: [
      { flag: "--json", description: "Print the changes as JSON" },
      { flag: "--markdown", description: "Print the changes as Markdown, for a pull request" },
    ],
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    usage: "generate [...servers]",
    description: "Generate the server packages from the lockfile",
    options: [
      { flag: "--update", description: "Update the lockfile from the servers first" },
      { flag: "--check", description: "Write nothing; exit with 3 if a file is out of date" },
      { flag: "--watch", description: "Keep running and regenerate what a server changes" },
      { flag: "--out <dir>", description: "Write to this folder instead of the configured one" },
    ],
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  {
    usage: "learn [...tools]",
    description: "Learn the shapes of results into the lockfile",
    details:
      "Tools are SERVER or SERVER/TOOL; all unless named. Shapes are types and names of fields, never a value. Without --from, they are those that runs left behind while `learn.observe` is set.",
    options: [
      { flag: "--from <file>", description: "Learn from this recording (repeatable)" },
      { flag: "--call", description: "Call tools that claim to be read-only, without arguments" },
      { flag: "--input <json>", description: "Call the named tool with this input" },
      { flag: "--dry-run", description: "Show the calls; make none" },
      { flag: "--approve", description: "Consent to the calls" },
      { flag: "--forget", description: "Remove what was learned" },
      { flag: "--check", description: "Write nothing; exit with 3 if something is new" },
      { flag: "--json", description: "Print the changes as JSON" },
    ],
    load: async () => (await import("./commands/learn.ts")).learn,
  },
  {
    usage: "types [server[/tool]]",
    description: "Print the TypeScript declarations of servers or of one tool",
    details: "The declarations are those that an agent sees.",
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
    description: "Search the locked tools; print their TypeScript signatures",
    options: [
      { flag: "--server <id>", description: "Search the tools of this server only" },
      { flag: "--limit <n>", description: "Print at most this many tools (default: 10)" },
      { flag: "--json", description: "Print the tools as JSON" },
    ],
    load: async () => (await import("./commands/search.ts")).search,
  },
  {
    usage: "call <tool> [json]",
    description: "Call one tool (SERVER/TOOL) with JSON input, or - for stdin",
    options: [
      { flag: "--json", description: "Print the whole MCP result" },
      { flag: "--frozen", description: "Fail if the lockfile is missing or the server has drifted" },
      { flag: "--approve", description: "Approve the call if the policy asks" },
    ],
    load: async () => (await import("./commands/call.ts")).call,
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
      {
        flag: "--inputs <file>",
        description: "Run once per line of a JSON Lines file; print one JSON line per run",
      },
      { flag: "--concurrency <n>", description: "With --inputs: run this many at a time (default: 4)" },
      {
        flag: "--journal <file>",
        description: "With --inputs: journal of finished inputs (default: FILE.journal)",
      },
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
    load: async () => (await import("./commands/run.ts")).run,
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
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    usage: "check [script]",
    description: "Type-check a script and show its tool calls, without running it",
    options: [
      { flag: "--eval <code>", description: "Check this code instead of a file" },
      { flag: "--json", description: "Print diagnostics and manifest as JSON" },
    ],
    load: async () => (await import("./commands/check.ts")).check,
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
    load: async () => (await import("./commands/bundle.ts")).bundle,
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
      { flag: "--frozen", description: "Fail if the lockfile is missing" },
    ],
    load: async () => (await import("./commands/pack.ts")).pack,
  },
  {
    usage: "login <server>",
    description: "Log in to a remote server with OAuth",
    details: "The tokens are stored in your state folder.",
    options: [
      { flag: "--no-browser", description: "Open no browser, and take the address that one elsewhere ends on" },
    ],
    load: async () => (await import("./commands/login.ts")).login,
  },
  {
    usage: "logout <server>",
    description: "Delete the login to a remote server",
    options: [],
    load: async () => (await import("./commands/login.ts")).logout,
  },
  {
    usage: "doctor [...servers]",
    description: "Check machine and project and suggest fixes; exit with 1 on a problem",
    options: [{ flag: "--json", description: "Print all findings as JSON" }],
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    usage: "serve",
    description: "Serve code mode to agents as an MCP server, on stdio or over HTTP",
    options: [
      { flag: "--surface <kind>", description: "Choose the tools that the agent sees: run (default), search or files" },
      {
        flag: "--tool-name <name>",
        description: "Name the run tool (default: codemode.run, or codemode_run by client)",
      },
      {
        flag: "--http <address>",
        description: "Serve over HTTP at [HOST:]PORT: MCP at /mcp, health at /health",
      },
      { flag: "--metrics <address>", description: "With --http: serve Prometheus metrics at [HOST:]PORT/metrics" },
      { flag: "--frozen", description: "Refuse scripts whose servers have drifted" },
      { flag: "--log-level <level>", description: "Set the minimum log level: silent, error, warn, info or debug" },
    ],
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    usage: "ui",
    description: "Open the local web UI: browse tools, write and run scripts",
    options: [
      { flag: "--port <n>", description: "Listen on this loopback port (default: any free port)" },
      { flag: "--no-open", description: "Print the address without opening a browser" },
    ],
    load: async () => (await import("./commands/ui.ts")).ui,
  },
  {
    usage: "install <client>",
    description: "Add codemode to an MCP client: claude-code, cursor, vscode, codex, …",
    options: [
      { flag: "--print", description: "Print the entry; write nothing" },
      { flag: "--project", description: "Write to the client's file in this project (the default if it has one)" },
      { flag: "--user", description: "Write to the client's file of your user account" },
      { flag: "--name <name>", description: "Name the entry (default: codemode)" },
      { flag: "--http <url>", description: "Connect the client to a running codemode at this address" },
      {
        flag: "--token-env <name>",
        description: "With --http: name the variable with the token (default: that of `serve.token`)",
      },
      { flag: "--move", description: "Take the servers that codemode serves out of the client's file" },
      { flag: "--skill", description: "Write a skill for agents with a shell, instead of an entry" },
      { flag: "--force", description: "Replace an entry or skill of the same name that is not codemode" },
    ],
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    usage: "uninstall <client>",
    description: "Remove codemode from an MCP client and put moved servers back",
    options: [
      { flag: "--project", description: "Change the client's files in this project only" },
      { flag: "--user", description: "Change the client's files of your user account only" },
      { flag: "--name <name>", description: "Name of the entry (default: codemode)" },
      { flag: "--force", description: "Remove an entry of that name that is not codemode" },
    ],
    load: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
  {
    usage: "completion <shell>",
    description: "Print a completion script for bash, zsh, fish or powershell",
    options: [],
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];
