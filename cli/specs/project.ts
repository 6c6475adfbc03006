import { type CommandSpec, loadExtraCommand } from "../command.ts";

/** Commands that write what a project consists of. */
export const PROJECT_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "init",
    description: "Write codemode.config.json with the servers of your MCP clients",
    options: [{ flag: "--from <file>", description: "Import the servers of this file only" }],
    load: async () => (await import("../commands/init.ts")).init,
  },
  {
    usage: "add <name>",
    description: "Add a server (-- COMMAND [ARGS...], --url, --from), test and lock it",
    details:
      "A name such as io.github.owner/weather, or io.github.owner/weather@1.2.0, is looked up in the MCP registry.",
    options: [
      { flag: "--from <file>", description: "Add the server that this server.json describes, a file or an address" },
      { flag: "--env <name=value>", description: "Set an environment variable of the server (repeatable)" },
      { flag: "--url <url>", description: "Connect to a remote server at this address" },
      { flag: "--header <name:value>", description: "Send this header to the remote server (repeatable)" },
    ],
    load: async () => (await import("../commands/add.ts")).add,
  },
  {
    usage: "remove <server>",
    description: "Remove a server from configuration, lockfile and generated package",
    options: [],
    load: async () => (await import("../commands/remove.ts")).remove,
  },
  {
    usage: "trust",
    description: "Show what this project starts, and trust it on this account",
    details: "Trust covers the programs, arguments, addresses and variables that the configuration names.",
    options: [
      { flag: "--list", description: "Show it only; record nothing" },
      { flag: "--revoke", description: "Revoke the trust in this project" },
    ],
    load: async () => (await import("../commands/trust.ts")).trust,
  },
  {
    usage: "lock [...servers]",
    description: "Snapshot the servers into the lockfile and print the changes",
    options: [
      { flag: "--check", description: "Write nothing; exit with 3 if something changed" },
      { flag: "--repair", description: "Repair a broken lockfile: keep intact entries, lock the others again" },
      { flag: "--json", description: "Print the changes as JSON" },
    ],
    load: async () => (await import("../commands/lock.ts")).lock,
  },
  {
    usage: "diff [...servers]",
    description: "Compare live servers with the lockfile; exit with 3 if they differ",
    options: [
      { flag: "--format <format>", description: "Print the changes as json, markdown (for a pull request) or sarif" },
      { flag: "--json", description: "Short for --format json" },
      { flag: "--markdown", description: "Short for --format markdown" },
    ],
    load: async () => (await import("../commands/diff.ts")).diff,
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
    load: async () => (await import("../commands/generate.ts")).generate,
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
      { flag: "--dry-run", description: "Show what would be called and learned; call and write nothing" },
      { flag: "--approve", description: "Approve the calls" },
      { flag: "--forget", description: "Remove what was learned" },
      { flag: "--check", description: "Write nothing; exit with 3 if something is new" },
      { flag: "--json", description: "Print the changes as JSON" },
    ],
    load: () => loadExtraCommand("learn", "learn"),
  },
];
