import type { DriftMode } from "../connect-options.ts";
import type { CalledTool } from "../registered-callers.ts";
import { ToolCallError } from "../errors.ts";
import { LinkFailure } from "./link-failure.ts";
import type { ToolList } from "./list-tools.ts";
import { toolIntegrity } from "./tool-integrity.ts";

/** Compares each tool that is called with the definition that its binding was generated from, once. */
export class DriftWatch {
  readonly mode: DriftMode;
  /** The integrities that were found right or warned of. */
  readonly #seen = new Set<string>();

  constructor(mode: DriftMode) {
    this.mode = mode;
  }

  /** Throws `ToolCallError` where a changed tool is to be refused. */
  async look(tool: CalledTool, readList: () => Promise<ToolList>): Promise<void> {
    const { integrity, toolName, serverId } = tool;
    if (this.mode === "ignore" || integrity === undefined) return;
    const key = `${toolName} ${integrity}`;
    if (this.#seen.has(key)) return;
    if (this.mode === "warn") this.#seen.add(key);
    const list = await this.#read(readList);
    if (list === undefined) return;
    const definition = list.get(toolName);
    if (definition !== undefined && toolIntegrity(definition) === integrity) {
      this.#seen.add(key);
      return;
    }
    const message = `The tool "${toolName}" of "${serverId}" is not the one that its binding was generated from.`;
    const hint = "Look at the change with `codemode diff`, then accept it with `codemode lock` and generate again.";
    if (this.mode === "refuse") throw new ToolCallError(message, { hint, serverId, toolName });
    process.emitWarning(message, { type: "CodemodeWarning", code: "CODEMODE_DRIFT", detail: hint });
  }

  /** Without the list a warning would be a guess; who refuses changes refuses what cannot be compared, too. */
  async #read(readList: () => Promise<ToolList>): Promise<ToolList | undefined> {
    try {
      return await readList();
    } catch (error) {
      if (error instanceof LinkFailure && this.mode === "warn") return undefined;
      throw error;
    }
  }
}
