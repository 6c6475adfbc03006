import type { JsonObject } from "../json/json.ts";

/** Before the revision 2026-07-28 of MCP, or from there on. */
export type ProtocolEra = "legacy" | "modern";

/** What a live server says of itself, before names and integrities are assigned. */
export interface ServerSnapshot {
  serverInfo: JsonObject;
  protocolVersion: string;
  era: ProtocolEra;
  capabilities: JsonObject;
  clientCapabilities: JsonObject;
  instructions?: string;
  /** The entries of `tools/list`, all pages, as they came. */
  tools: readonly WireTool[];
  /** Its resources and prompts as definitions of the same form. */
  resources?: readonly WireTool[];
  prompts?: readonly WireTool[];
  /** The entries of lists that had to be left out; absent where there are none. */
  problems?: readonly ToolListProblem[];
}

/** Why an entry of a list was left out; of equal names the first one stays. */
export interface ToolListProblem {
  reason:
    | "app-only"
    | "bad-arguments"
    | "bad-template"
    | "duplicate-name"
    | "invalid-header"
    | "needs-task"
    | "no-name"
    | "not-an-object"
    | "not-listed"
    | "repeated-cursor"
    | "reserved-name";
  /** In the whole list, from 0. */
  position: number;
  name?: string;
  /** The list, where it is another one than the tools. With `not-listed`, all of it is missing; with `repeated-cursor`, what follows may be. */
  list?: "prompts" | "resources";
}

/** A tool as it came on the wire; only the name is known to be of its type. */
export type WireTool = JsonObject & { name: string };
