import { callBack, type OnCallbackFailed } from "../run/call-back.ts";
import type { WireTool } from "../lock/server-snapshot.ts";

/** A server that is the program's own: its functions, or what it connects to an MCP transport. */
export type ProgramServer =
  | {
      kind: "functions";
      tools: ReadonlyMap<string, ProgramTool>;
      onHidden?: OnHidden | undefined;
    }
  | {
      kind: "server";
      /** The rules of its tools, by name; a tool without one is absent. */
      tools: ReadonlyMap<string, ToolRules>;
      /** A server for one connection. */
      make(): ConnectableServer | Promise<ConnectableServer>;
      onHidden?: OnHidden | undefined;
    };

/** Receives an error whose words no script gets; without it scripts get the message of each error. */
export type OnHidden = (error: unknown, errorId: string) => void;

/** An `McpServer` of the MCP SDK 1 or 2, and all else that takes a transport. */
export interface ConnectableServer {
  connect(transport: object): Promise<unknown>;
}

/** What the program says of a tool of its own. `call` is the `ToolContext` of `runtime/mcp/connect-functions.ts`, which needs the types of Node. */
export interface ToolRules {
  /** Whether it exists for that context; for all without it. */
  isEnabled?: ((context: unknown) => boolean | Promise<boolean>) | undefined;
  /** Whether a call that the policy asks about needs an approval; all of them without it. */
  needsApproval?: ((input: unknown, context: unknown) => boolean | Promise<boolean>) | undefined;
  /** Takes back what a call has done. */
  undo?: ((input: unknown, result: unknown, call: object) => unknown) | undefined;
}

/** A function of the program as a tool. */
export interface ProgramTool extends ToolRules {
  /** As `tools/list` would have it. */
  definition: WireTool;
  /** Checks the input by its own schema, which may fill in defaults and convert; absent where the host's check is all. */
  check?: ((input: unknown) => unknown) | undefined;
  /** Its check is within `run`, and fills in the defaults of its schema. */
  fillsDefaults?: boolean | undefined;
  /** Does the work with a checked input, and checks its result. */
  run(taken: unknown, call: object): unknown;
}

/** Whether a tool exists for a context. A guard that fails has not said so. */
export async function isEnabledFor(
  { isEnabled }: ToolRules,
  context: unknown,
  onFailed?: OnCallbackFailed,
): Promise<boolean> {
  if (isEnabled === undefined) return true;
  const answer: unknown = await callBack("enabled", () => isEnabled(context), false, onFailed);
  if (typeof answer !== "boolean")
    onFailed?.("enabled", new TypeError(`it gives ${typeof answer}, and not true or false`));
  return answer === true;
}

/** Whether a server is of the program itself: there is nothing to trust, to withhold, or to review. */
export function isProgram({ source }: { source: { transport: string } }): boolean {
  return source.transport === "program";
}
