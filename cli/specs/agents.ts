import { type CommandSpec, loadExtraCommand } from "../command.ts";

/** Commands around servers, agents and this machine. */
export const AGENT_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "login <server>",
    description: "Log in to a remote server with OAuth",
    details: "The tokens are stored in your state folder.",
    options: [
      { flag: "--no-browser", description: "Open no browser, and take the address that one elsewhere ends on" },
    ],
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    usage: "logout <server>",
    description: "Delete the login to a remote server",
    options: [],
    load: async () => (await import("../commands/login.ts")).logout,
  },
  {
    usage: "doctor [...servers]",
    description: "Check machine and project and suggest fixes; exit with 1 on a problem",
    options: [{ flag: "--json", description: "Print all findings as JSON" }],
    load: () => loadExtraCommand("doctor", "doctor"),
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
    load: async () => (await import("../commands/serve.ts")).serve,
  },
  {
    usage: "approvals [id]",
    description: "List or answer the approvals that runs of `serve` wait for",
    details: "An approval is for one run, and needs your passphrase. Runs wait for ten minutes.",
    options: [
      { flag: "--approve", description: "Approve it, with your passphrase, in a terminal of your own" },
      { flag: "--refuse", description: "Refuse it" },
      { flag: "--setup", description: "Set the passphrase of this account" },
      { flag: "--json", description: "Print the waiting approvals as JSON" },
    ],
    load: async () => (await import("../commands/approvals.ts")).approvals,
  },
  {
    usage: "ui",
    description: "Open the local web UI: browse tools, write and run scripts",
    options: [
      { flag: "--port <n>", description: "Listen on this loopback port (default: any free port)" },
      { flag: "--no-open", description: "Print the address without opening a browser" },
    ],
    load: () => loadExtraCommand("ui", "ui"),
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
    load: () => loadExtraCommand("install", "install"),
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
    load: () => loadExtraCommand("install", "uninstall"),
  },
  {
    usage: "completion <shell>",
    description: "Print a completion script for bash, zsh, fish or powershell",
    options: [],
    load: () => loadExtraCommand("completion", "completion"),
  },
];
