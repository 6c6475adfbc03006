import { askHost } from "./ask-host.ts";

/** The version of the code mode specification that this sandbox follows (section 12.1). */
export const specVersion = "1.0.0";

/** The level of detail of a tool (specification 4.3). */
export type DetailLevel = "name" | "description" | "full";

export interface ServerInfo {
  serverId: string;
  serverName: string;
  capabilities?: string[];
  /** What can be imported of the server beside its tools, as ids such as `files/resources` (an extension). */
  modules?: string[];
}

export interface ServerDescription extends ServerInfo {
  description?: string;
  version?: string;
}

export interface ToolSummary {
  toolName: string;
  exportName: string;
  description?: string;
  annotations?: Record<string, unknown>;
  /** The TypeScript signature of the export, types written in place (an extension); not at the level `name`. */
  signature?: string;
}

export interface ToolDefinition extends ToolSummary {
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

export interface SearchResults {
  query: string;
  results: (ToolDefinition & { serverId: string })[];
}

/** A saved script, which an agent runs by its name in the place of code (an extension). */
export interface ScriptInfo {
  name: string;
  description?: string;
  /** Of its input; absent where any input will do. */
  inputSchema?: Record<string, unknown>;
  /** `serverId/toolName` of all that it may call. */
  tools: string[];
}

export interface ListToolsOptions {
  /** `description` unless given. */
  detail?: DetailLevel;
}

export interface SearchToolsOptions extends ListToolsOptions {
  /** Only the tools of this server, or of this module of it. */
  serverId?: string;
  /** At most so many results. */
  limit?: number;
}

/** Lists the servers whose tools can be imported. */
export async function listServers(): Promise<ServerInfo[]> {
  return ask("listServers", {});
}

/** Tells more of one server. Throws `ServerNotFoundError`. */
export async function describeServer(serverId: string): Promise<ServerDescription> {
  return ask("describeServer", { serverId });
}

/** Lists the tools of one server. Throws `ServerNotFoundError`. */
export async function listTools(serverId: string, options: ListToolsOptions = {}): Promise<ToolDefinition[]> {
  return ask("listTools", { serverId, ...options });
}

/** Tells everything of one tool. Throws `ServerNotFoundError` and `ToolNotFoundError`. */
export async function getTool(serverId: string, toolName: string): Promise<ToolDefinition> {
  return ask("getTool", { serverId, toolName });
}

/** Finds tools by words of their names, descriptions and parameters, the best match first. */
export async function searchTools(query: string, options: SearchToolsOptions = {}): Promise<SearchResults> {
  return ask("searchTools", { query, ...options });
}

/** Lists the saved scripts that can be run by name (an extension). */
export async function listScripts(): Promise<ScriptInfo[]> {
  return ask("listScripts", {});
}

/** The name under which the host answers questions instead of performing calls. No server can have it. */
const DISCOVERY = "@codemode/discovery";

/** What is asked about, and options as the script gave them. */
interface Lookup {
  serverId?: string;
  toolName?: string;
  query?: string;
}

function ask<Answer>(question: string, details: Lookup): Promise<Answer> {
  return askHost(DISCOVERY, question, details, OUTSIDE);
}

const OUTSIDE = {
  message: "Tools can only be discovered inside a codemode sandbox.",
  hint: "Run the script with `codemode run SCRIPT`, or list the tools with `codemode tools`.",
};
