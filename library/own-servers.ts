import type { Config, ServerConfig, ServerEntry } from "../schemas/config/config.ts";
import { DEFAULT_SERVER_TIMEOUT_MS } from "../schemas/config/config.ts";
import type { ConnectableServer, ProgramServer, ProgramTool } from "../schemas/config/program-server.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { assignServerIds } from "../schemas/lock/server-ids.ts";
import { type GivenTool, type OwnTool, toProgramTool } from "./own-tool.ts";

/** One server of a program: tools by their names, an MCP server or what makes one, or an entry as in `mcpServers`. */
export type OwnServer<Context = unknown> =
  | { readonly [tool: string]: OwnTool<Context> }
  | ConnectableServer
  | (() => ConnectableServer | Promise<ConnectableServer>)
  | ServerEntry;

/** Servers by their names. */
export interface OwnServers<Context = unknown> {
  readonly [name: string]: OwnServer<Context>;
}

/** What all own servers of an engine have in common. */
export interface OwnServerSettings {
  /** As in `ProgramServer`. */
  onHidden?: ((error: unknown, errorId: string) => void) | undefined;
}

/** The entries that are configured as in `mcpServers`. */
export function pickEntries(servers: OwnServers): { [name: string]: ServerEntry } {
  const entries = Object.entries(servers).filter((entry): entry is [string, ServerEntry] => isEntry(entry[1]));
  return Object.fromEntries(entries);
}

/**
 * The configuration with the program's own servers behind the configured ones.
 * @throws CodemodeError (`INVALID_OPTION`) where a server or a tool is none
 */
export async function withOwnServers(
  config: Config,
  servers: OwnServers,
  settings: OwnServerSettings = {},
): Promise<Config> {
  const own = Object.entries(servers).filter(([, server]) => !isEntry(server));
  const ids = assignServerIds([...config.servers.map(({ name }) => name), ...own.map(([name]) => name)]);
  const asked: string[] = [];
  const entries: ServerConfig[] = [];
  for (const [index, [name, server]] of own.entries()) {
    const id = ids[config.servers.length + index] as string;
    const program = await toProgramServer(name, server, settings);
    if (program.kind === "functions")
      for (const [tool, { needsApproval }] of program.tools)
        if (needsApproval !== undefined) asked.push(`${id}/${tool}`);
    const source = { transport: "program" as const, program };
    entries.push({ id, name, source, tools: { include: [], exclude: [] }, timeoutMs: DEFAULT_SERVER_TIMEOUT_MS });
  }
  const askEach = [...(config.policy.askEach ?? []), ...asked];
  const policy = asked.length === 0 ? config.policy : { ...config.policy, askEach };
  return { ...config, policy, servers: [...config.servers, ...entries] };
}

async function toProgramServer(name: string, server: unknown, settings: OwnServerSettings): Promise<ProgramServer> {
  if (typeof server === "function") return { kind: "server", make: server as () => ConnectableServer };
  if (typeof server !== "object" || server === null || Array.isArray(server))
    throw optionInvalid(
      `server "${name}"`,
      "it is neither a record of tools nor an MCP server",
      `Write \`${name}: { NAME: tool }\`, or \`${name}: () => new McpServer(…)\`.`,
    );
  if (typeof (server as { connect?: unknown }).connect === "function")
    return { kind: "server", make: () => server as ConnectableServer };
  const tools = new Map<string, ProgramTool>();
  for (const [tool, given] of Object.entries(server))
    tools.set(tool, await toProgramTool(name, tool, given as GivenTool));
  return { kind: "functions", tools, ...settings };
}

function isEntry(server: unknown): server is ServerEntry {
  const { command, url } = Object(server) as { command?: unknown; url?: unknown };
  return typeof command === "string" || typeof url === "string";
}
