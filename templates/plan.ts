import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { byCodeUnits } from "../schemas/json/canonical-json.ts";
import { ownValue } from "../schemas/json/json.ts";
import {
  cleanInputSchema,
  cleanSchema,
  COMPOSING_KEYWORDS,
  type CleanSchema,
} from "../schemas/json-schema/clean-schema.ts";
import type { SchemaProblem } from "../schemas/json-schema/keywords.ts";
import type { LockedServer, LockedTool } from "../schemas/lock/lockfile.ts";
import { serverIdOf } from "../schemas/lock/operations.ts";
import { toIdentifier } from "../schemas/lock/names.ts";
import type { ServerPlan, ToolPlan, ToolProblem } from "./server-plan.ts";
import { assignFileNames } from "./text/file-name.ts";
import { claimName, toTypeName } from "../schemas/text/type-name.ts";
import { planToolDoc } from "./tool-doc.ts";
import { planDeclarations } from "./types/declaration-schema.ts";
import { claimResultTypes, type OutputNaming, planOutput } from "./types/plan-output.ts";

/** Decides every name, path, type and comment of a server in the generated package. Neither order nor machine change the plan. */
export function planServer(server: LockedServer): ServerPlan {
  assertSafeNames(server);
  const tools = sortByName(server.tools);
  const exportNames = tools.map((tool) => tool.exportName);
  const fileNames = assignFileNames(exportNames);
  // The index of a server exports bindings and types together, so that no two of them may have one name.
  const taken = new Set(["__meta__", ...exportNames]);
  const naming = {
    openObjects: server.openObjects ?? ("closed" as const),
    taken,
    resultTypes: claimResultTypes(taken),
  };
  const planned = tools.map((tool) => planTool(server.id, tool, `tools/${fileNames.get(tool.exportName)}`, naming));
  const version = ownValue(server.serverInfo, "version");
  return {
    serverId: serverIdOf(server.id),
    moduleId: server.id,
    serverName: server.name,
    ...withoutUndefined({ serverVersion: typeof version === "string" ? version : undefined }),
    integrity: server.integrity,
    tools: planned,
    problems: planned.flatMap((tool) => tool.problems),
  };
}

/** Ids and export names become paths and code. The lockfile's parser checks them too; here it must be impossible. */
function assertSafeNames(server: LockedServer): void {
  if (!/^[a-z0-9]+(?:--?[a-z0-9]+)*(?:\/(?:resources|prompts))?$/.test(server.id))
    throw new Error(`${JSON.stringify(server.id)} is no server id.`);
  const seen = new Set<string>();
  const isTaken = (name: string): boolean => seen.size === seen.add(name).size;
  const exportNames = server.tools.map((tool) => tool.exportName);
  const unsafe = exportNames.find((name) => toIdentifier(name) !== name || isTaken(name));
  if (unsafe !== undefined) throw new Error(`${JSON.stringify(unsafe)} is no export name, or not the only one.`);
}

function planTool(moduleId: string, tool: LockedTool, file: string, naming: OutputNaming): ToolPlan {
  const { taken } = naming;
  const input = cleanInputSchema(tool.inputSchema);
  const inputType = claimName(`${toTypeName(tool.exportName)}Input`, taken);
  const outputType = claimName(`${toTypeName(tool.exportName)}Output`, taken);
  const inputTypes = planDeclarations(input, inputType, taken, naming.openObjects);
  const output = planOutput(tool, outputType, naming);
  const problems = toToolProblems(tool, input.problems, output.problems);
  const inputOptional = acceptsNoArgument(input);
  return {
    serverId: serverIdOf(moduleId),
    moduleId,
    toolName: tool.name,
    exportName: tool.exportName,
    ...withoutUndefined({ description: tool.description }),
    integrity: tool.integrity,
    isAsServed: tool.outputSchemaFrom === undefined,
    file,
    inputType,
    outputType,
    types: [...inputTypes, ...output.types],
    resultTypes: output.imports,
    openObjects: naming.openObjects,
    ...withoutUndefined({ observed: tool.observed }),
    input,
    inputOptional,
    doc: planToolDoc(tool, input, problems),
    problems,
  };
}

/** What `planServer` gives as the problems of a server, without its plan: a lock needs nothing else of it. */
export function schemaProblemsOf({ tools }: LockedServer): ToolProblem[] {
  return sortByName(tools).flatMap((tool) => {
    const { inputSchema, outputSchema } = tool;
    const ofOutput = outputSchema === undefined ? [] : cleanSchema(outputSchema, "output").problems;
    return toToolProblems(tool, cleanInputSchema(inputSchema).problems, ofOutput);
  });
}

function toToolProblems(
  { name: toolName }: LockedTool,
  ofInput: readonly SchemaProblem[],
  ofOutput: readonly SchemaProblem[],
): ToolProblem[] {
  return [
    ...ofInput.map((problem) => ({ toolName, schema: "inputSchema" as const, ...problem })),
    ...ofOutput.map((problem) => ({ toolName, schema: "outputSchema" as const, ...problem })),
  ];
}

function sortByName(tools: readonly LockedTool[]): LockedTool[] {
  return tools.toSorted((left, right) => byCodeUnits(left.name, right.name));
}

/** True where `{}` is surely a valid input (specification 5.3.1). */
export function acceptsNoArgument({ root }: CleanSchema): boolean {
  if (typeof root === "boolean" || ownValue(root, "type") !== "object") return false;
  const required = ownValue(root, "required");
  if (Array.isArray(required) && required.length > 0) return false;
  return ![...COMPOSING_KEYWORDS, "minProperties", "not", "if"].some((keyword) => Object.hasOwn(root, keyword));
}
