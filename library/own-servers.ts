import type { Config, OwnServerConfig } from "../schemas/config/config.ts";
import { DEFAULTS, type ServerEntry } from "../schemas/config/config-file.ts";
import type { ConnectableServer, ProgramServer, ProgramTool } from "../schemas/config/program-server.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { assignServerIds } from "../schemas/lock/server-ids.ts";
import type { GivenTool, OwnTool, OwnToolRules } from "./given-tool.ts";
import { toProgramTool } from "./own-tool.ts";
import { readServerRules } from "./tool-rules.ts";

/** An MCP server of the program, or what makes one for a connection. */
type GivenServer = ConnectableServer | (() => ConnectableServer | Promise<ConnectableServer>);

/** One server of a program: tools by their names, an MCP server or what makes one, the same with rules for its tools, or an entry as in `mcpServers`. */
export type OwnServer<Context = unknown> =
  | { readonly [tool: string]: OwnTool<Context> }
  | GivenServer
  | { server: GivenServer; tools: { readonly [tool: string]: OwnToolRules<Context> } }
  | ServerEntry;

/** Servers by their names. */
export interface OwnServers<Context = unknown> {
  readonly [name: string]: OwnServer<Context>;
}

/** The entries that are configured as in `mcpServers`. */
export function pickEntries(servers: OwnServers): { [name: string]: ServerEntry } {
  const entries = Object.entries(servers).filter((entry): entry is [string, ServerEntry] => isEntry(entry[1]));
  return Object.fromEntries(entries);
}

/**
 * The configuration with the program's own servers beside the configured ones.
 * @throws CodemodeError (`INVALID_OPTION`) where a server or a tool is none
 */
export async function withOwnServers(
  config: Config,
  servers: OwnServers,
  onHidden?: ProgramServer["onHidden"],
): Promise<Config> {
  const own = Object.entries(servers).filter(([, server]) => !isEntry(server));
  const ids = assignServerIds([...config.servers.map(({ name }) => name), ...own.map(([name]) => name)]);
  const { tools, timeoutMs } = DEFAULTS.mcpServers.each;
  const entries: OwnServerConfig[] = [];
  for (const [index, [name, server]] of own.entries()) {
    const id = ids[config.servers.length + index] as string;
    const source = { transport: "program" as const, program: await toProgramServer(name, server, onHidden) };
    entries.push({ id, name, source, tools, timeoutMs });
  }
  return { ...config, own: entries };
}

async function toProgramServer(
  name: string,
  server: unknown,
  onHidden: ProgramServer["onHidden"],
): Promise<ProgramServer> {
  const make = findMake(server);
  if (make !== undefined) return { kind: "server", make, tools: new Map(), onHidden };
  if (typeof server !== "object" || server === null || Array.isArray(server))
    throw optionInvalid(
      `server "${name}"`,
      "it is neither a record of tools nor an MCP server",
      `Write \`${name}: { NAME: tool }\`, or \`${name}: () => new McpServer(…)\`.`,
    );
  const makeRuled = findMake(Reflect.get(server, "server"));
  if (makeRuled !== undefined) {
    const other = Object.keys(server).find((key) => key !== "server" && key !== "tools");
    if (other !== undefined)
      throw optionInvalid(
        `server "${name}"`,
        `there is no \`${other}\` beside \`server\``,
        `Write the rules of its tools as \`${name}: { server, tools: { NAME: { needsApproval: true } } }\`.`,
      );
    return { kind: "server", make: makeRuled, tools: readServerRules(name, Reflect.get(server, "tools")), onHidden };
  }
  const tools = new Map<string, ProgramTool>();
  for (const [tool, given] of Object.entries(server))
    tools.set(tool, await toProgramTool(name, tool, given as GivenTool));
  return { kind: "functions", tools, onHidden };
}

/** Makes a server for one connection; undefined of what is none. */
function findMake(server: unknown): Extract<ProgramServer, { kind: "server" }>["make"] | undefined {
  if (typeof server === "function") return server as () => ConnectableServer;
  const { connect } = Object(server) as { connect?: unknown };
  return typeof connect === "function" ? () => server as ConnectableServer : undefined;
}

function isEntry(server: unknown): server is ServerEntry {
  const { command, url } = Object(server) as { command?: unknown; url?: unknown };
  return typeof command === "string" || typeof url === "string";
}
