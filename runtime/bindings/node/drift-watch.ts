import type { DriftMode } from "../connect-options.ts";
import type { CalledTool } from "../registered-callers.ts";
import { ToolCallError } from "../errors.ts";
import { ConnectionError } from "../../mcp/client/connection-error.ts";
import type { WireTool } from "../../../schemas/lock/server-snapshot.ts";
import { toolIntegrity } from "./tool-integrity.ts";

/** The definitions of a server's tools as they came, by name. */
export type ToolDefinitions = ReadonlyMap<string, WireTool>;

/** A list of tools for as long as it holds: up to the next start, session, or announced change. */
export interface CurrentList {
  read(): Promise<ToolDefinitions>;
}

/** Compares each tool that is called with the definition that its binding was generated from, once for each list. */
export class DriftWatch {
  readonly mode: DriftMode;
  /** By list, the integrities that were found right or warned of. */
  readonly #seen = new WeakMap<CurrentList, Set<string>>();

  constructor(mode: DriftMode) {
    this.mode = mode;
  }

  /** Throws `ToolCallError` where a changed tool is to be refused. */
  async look(tool: CalledTool, current: CurrentList): Promise<void> {
    const { integrity, toolName, serverId } = tool;
    if (this.mode === "ignore" || integrity === undefined) return;
    const key = `${toolName} ${integrity}`;
    const seen = this.#seen.get(current) ?? new Set<string>();
    this.#seen.set(current, seen);
    if (seen.has(key)) return;
    if (this.mode === "warn") seen.add(key);
    const list = await this.#read(current);
    if (list === undefined) return;
    const definition = list.get(toolName);
    if (definition !== undefined && toolIntegrity(definition) === integrity) {
      seen.add(key);
      return;
    }
    const message = `The tool "${toolName}" of "${serverId}" is not the one that its binding was generated from.`;
    const hint = "Look at the change with `codemode diff`, then accept it with `codemode lock` and generate again.";
    if (this.mode === "refuse") throw new ToolCallError(message, { hint, serverId, toolName });
    process.emitWarning(message, { type: "CodemodeWarning", code: "CODEMODE_DRIFT", detail: hint });
  }

  /** Without the list a warning would be a guess; who refuses changes refuses what cannot be compared, too. */
  async #read(current: CurrentList): Promise<ToolDefinitions | undefined> {
    try {
      return await current.read();
    } catch (error) {
      if (error instanceof ConnectionError && this.mode === "warn") return undefined;
      throw error;
    }
  }
}
