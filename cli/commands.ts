import type { CommandSpec, OptionSpec } from "./command.ts";

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flag: "--config <file>", description: "The configuration to use" },
  { flag: "--cwd <dir>", description: "The project folder, instead of the current one" },
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
    usage: "lock [...servers]",
    description: "Snapshot the servers into the lockfile and print what changed",
    options: [
      { flag: "--check", description: "Write nothing; exit with 3 when something changed" },
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
    usage: "run [script]",
    description: "Run a script in a sandbox: a file, - for standard input, or --eval",
    options: [
      { flag: "--eval <code>", description: "Run this code" },
      { flag: "--input <json>", description: "What the script reads at globalThis.__codemode_input__" },
      { flag: "--json", description: "Print the whole answer: logs, result, diagnostics, tool trace" },
      { flag: "--frozen", description: "Refuse when the lockfile is missing or a server has drifted" },
      { flag: "--timeout <ms>", description: "Wall-clock limit in milliseconds" },
      { flag: "--max-memory <bytes>", description: "Memory limit in bytes" },
      { flag: "--max-tool-calls <n>", description: "How many tool calls the script may make" },
      { flag: "--max-log-bytes <n>", description: "How much console output is kept" },
    ],
    load: async () => (await import("./commands/run.ts")).run,
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
    usage: "serve",
    description: "Serve code mode to an agent: an MCP server on standard input and output",
    options: [
      { flag: "--tool-name <name>", description: "The name of the run tool (default: codemode.run)" },
      { flag: "--frozen", description: "Refuse scripts whose servers have drifted" },
    ],
    load: async () => (await import("./commands/serve.ts")).serve,
  },
];
