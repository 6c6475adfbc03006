import type { Integrity } from "../schemas/lock/integrity.ts";
import type { SchemaProblem } from "../schemas/json-schema/keywords.ts";
import type { CleanSchema } from "../schemas/json-schema/clean-schema.ts";
import type { OpenObjects } from "../schemas/config/config-file.ts";
import type { JsonObject } from "../schemas/json/json.ts";
import type { PlannedType } from "./types/declaration-schema.ts";
import type { LockedServer } from "../schemas/lock/lockfile.ts";

/** Everything of a server that is decided before any text is printed: names, paths, types, comments. */
export interface ServerPlan {
  serverId: string;
  /** The folder of the module in the package: the server's, or one for its resources or prompts in it (`modulesOf`). */
  moduleId: string;
  /** The name in the configuration. */
  serverName: string;
  serverVersion?: string;
  integrity: Integrity;
  /** Sorted by tool name. */
  tools: readonly ToolPlan[];
  problems: readonly ToolProblem[];
}

export interface ToolPlan {
  /** By which calls go. */
  serverId: string;
  moduleId: string;
  toolName: string;
  exportName: string;
  description?: string;
  integrity: Integrity;
  /** Whether the definition is the server's own, and `integrity` belongs to what it lists. */
  isAsServed: boolean;
  /** The file of the tool without extension, relative to the server's folder: `tools/echo`. */
  file: string;
  inputType: string;
  outputType: string;
  /** All types of the module, the input type first. */
  types: readonly PlannedType[];
  /** What the types need of `@codemode/runtime/results`. */
  resultTypes: readonly ResultType[];
  openObjects: OpenObjects;
  /** What the lockfile says of the results. */
  observed?: JsonObject;
  input: CleanSchema;
  /** True where the tool can be called without an argument. */
  inputOptional: boolean;
  /** The text of the binding's doc comment, safe to stand in one. */
  doc: string;
  problems: readonly ToolProblem[];
}

/** A type of `@codemode/runtime/results`, and what it is called in the modules of a server. */
export interface ResultType {
  name: "JsonText" | "McpResult";
  local: string;
}

/** Why a part of a tool is less than its server meant it to be. */
export interface ToolProblem extends SchemaProblem {
  toolName: string;
  schema: "inputSchema" | "outputSchema";
}

/** Everything of a server that its plan depends on. What was observed is in no integrity; hidden tools are in the integrity of the whole. */
export function serverSource({ id, name, integrity, tools, isPartial, openObjects }: LockedServer): string {
  const observed = tools.flatMap((tool) => (tool.observed === undefined ? [] : [[tool.name, tool.observed]]));
  const visible = isPartial === true ? tools.map((tool) => tool.exportName) : [];
  return JSON.stringify([id, name, integrity, openObjects ?? "closed", observed, visible]);
}

/** Everything that the module of a server depends on: the names of its tools, of their files and of their types. */
export function indexSource({ moduleId, tools }: ServerPlan): string {
  const names = tools.map(({ exportName, inputType, outputType, file }) => [exportName, inputType, outputType, file]);
  return JSON.stringify([moduleId, names]);
}

/** Everything of a tool that its modules depend on. The names of types depend on the other tools of the server too. */
export function toolSource(tool: ToolPlan): string {
  const { moduleId, exportName, integrity, file, types, resultTypes, openObjects, observed = null } = tool;
  const names = types.map(({ name }) => name);
  return JSON.stringify([moduleId, exportName, integrity, file, names, resultTypes, openObjects, observed]);
}
