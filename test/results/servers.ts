import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

/** A real server, and how it starts in the project of the measurement. */
export interface RealServer {
  id: string;
  package: string;
  /** Undefined for a development dependency of this repository. */
  version?: string;
  /** The file that Node starts, in the folder of the package. */
  program: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Servers of the npm registry that need no account and no network. Each has a script in `scripts/`. */
export const REAL_SERVERS: readonly RealServer[] = [
  { id: "calc", package: "@coo-quack/calc-mcp", version: "2.1.1", program: "dist/index.js" },
  {
    id: "everything",
    package: "@modelcontextprotocol/server-everything",
    program: "dist/index.js",
    args: ["stdio"],
  },
  { id: "excel", package: "@negokaz/excel-mcp-server", version: "0.12.0", program: "dist/launcher.js" },
  { id: "filesystem", package: "@modelcontextprotocol/server-filesystem", program: "dist/index.js", args: ["."] },
  {
    id: "git",
    package: "@cyanheads/git-mcp-server",
    version: "2.15.3",
    program: "dist/index.js",
    env: { GIT_SIGN_COMMITS: "false", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
  },
  {
    id: "graph",
    package: "@itseasy21/mcp-knowledge-graph",
    version: "1.0.7",
    program: "dist/index.js",
    env: { MEMORY_FILE_PATH: "${workspaceFolder}/graph.jsonl" },
  },
  {
    id: "memory",
    package: "@modelcontextprotocol/server-memory",
    program: "dist/index.js",
    env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl" },
  },
  {
    id: "playwright",
    package: "@playwright/mcp",
    version: "0.0.83",
    program: "cli.js",
    args: ["--headless", "--isolated", "--no-sandbox"],
  },
  { id: "sqlite", package: "mcp-server-sqlite-npx", version: "0.8.0", program: "dist/index.js", args: ["shop.db"] },
  {
    id: "tasks",
    package: "@kazuph/mcp-taskmanager",
    version: "1.1.1",
    program: "dist/index.js",
    env: { TASK_MANAGER_FILE_PATH: "${workspaceFolder}/tasks.json" },
  },
  {
    id: "thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
    program: "dist/index.js",
  },
  { id: "time", package: "time-mcp", version: "1.0.6", program: "dist/index.js" },
];

/** Its entry in a configuration. `installed` is the folder with the packages that are no dependencies of this repository. */
export function toEntry(server: RealServer, installed: string, browser: string): object {
  const folder = server.version === undefined ? resolve("node_modules") : resolve(installed, "node_modules");
  const args = [resolve(folder, server.package, server.program), ...(server.args ?? [])];
  if (server.id === "playwright") args.push("--executable-path", browser);
  return { command: process.execPath, args, ...(server.env === undefined ? {} : { env: server.env }) };
}

/** The version that is measured. */
export async function versionOf({ package: name, version }: RealServer): Promise<string> {
  if (version !== undefined) return version;
  const manifest = JSON.parse(await readFile(resolve("node_modules", name, "package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
