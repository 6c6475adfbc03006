import type { OpenObjects } from "../../schemas/config/config.ts";
import { isJsonObject, type JsonObject, type JsonValue, toJsonObject } from "../../schemas/json/json.ts";
import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import type { SchemaProblem } from "../../schemas/json-schema/keywords.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { describeObserved, type ObservedResults, observedOf } from "../../schemas/observed/observed-results.ts";
import type { Shape } from "../../schemas/observed/shape.ts";
import { toClosedSchema } from "../../schemas/observed/shape-schema.ts";
import { claimName } from "../../schemas/text/type-name.ts";
import { type PlannedType, planDeclarations } from "./declaration-schema.ts";

/** A type of `@codemode/runtime/results`, and what it is called in the modules of a server. */
export interface ResultType {
  name: "JsonText" | "McpResult";
  local: string;
}

/** The runtime's types by name, as no tool and no type of the server is called. */
export type ResultTypes = Readonly<Record<ResultType["name"], ResultType>>;

/** Gives the runtime's types the names that are still free. */
export function claimResultTypes(taken: Set<string>): ResultTypes {
  const claim = (name: ResultType["name"]): ResultType => ({ name, local: claimName(name, taken) });
  return { JsonText: claim("JsonText"), McpResult: claim("McpResult") };
}

/** The types of what a binding returns; the first has the name that was asked for. */
export interface PlannedOutput {
  types: readonly PlannedType[];
  imports: readonly ResultType[];
  problems: readonly SchemaProblem[];
}

/** What the types of one server share. */
export interface OutputNaming {
  openObjects: OpenObjects;
  /** Names that the server has already; the new ones are added. */
  taken: Set<string>;
  resultTypes: ResultTypes;
}

/** Plans the output type of a tool: from its schema; else from what was observed; else it is what every result is (specification 5.3.2). */
export function planOutput(tool: LockedTool, name: string, naming: OutputNaming): PlannedOutput {
  const { taken, resultTypes, openObjects } = naming;
  if (tool.outputSchema !== undefined) {
    const clean = cleanSchema(tool.outputSchema, "output");
    return { types: planDeclarations(clean, name, taken, openObjects), imports: [], problems: clean.problems };
  }
  const observed = observedOf(tool);
  if (observed !== undefined) return { ...planObserved(observed, name, naming), problems: [] };
  const { McpResult } = resultTypes;
  const schema = { tsType: `string | ${McpResult.local}`, description: ANY_RESULT };
  return { types: [{ name, schema }], imports: [McpResult], problems: [] };
}

const ANY_RESULT =
  "The server does not say more. A single text arrives as a string, anything else as the whole MCP result.";

/** One member for each form that results had. */
function planObserved(
  observed: ObservedResults,
  name: string,
  { taken, resultTypes: { JsonText, McpResult } }: OutputNaming,
): Omit<PlannedOutput, "problems"> {
  const { text, json, structured, blocks } = observed.shape;
  const description = describeObserved(observed);
  const isStructuredAlone =
    structured !== undefined && text === undefined && json === undefined && blocks === undefined;
  // What may be anything is not checked.
  if (isStructuredAlone && structured.any === true) {
    return { types: [{ name, schema: { tsType: "any", description } }], imports: [] };
  }
  if (isStructuredAlone) return { types: planShape(structured, name, taken, description), imports: [] };
  const jsonName = json === undefined ? "" : claimName(`${name}Json`, taken);
  const structuredName = structured === undefined ? "" : claimName(`${name}Content`, taken);
  const members = [
    ...(text === true && json === undefined ? ["string"] : []),
    // A plain text fits a `JsonText` too: what JSON.parse gives is of that type, or there is nothing to parse.
    ...(json === undefined ? [] : [`${JsonText.local}<${jsonName}>`]),
    ...(structured === undefined ? [] : [structuredName]),
    ...(blocks === undefined ? [] : [McpResult.local]),
  ];
  return {
    types: [
      { name, schema: { tsType: members.join(" | "), description } },
      ...(json === undefined ? [] : planShape(json, jsonName, taken)),
      ...(structured === undefined ? [] : planShape(structured, structuredName, taken)),
    ],
    imports: [...(json === undefined ? [] : [JsonText]), ...(blocks === undefined ? [] : [McpResult])],
  };
}

function planShape(shape: Shape, name: string, taken: Set<string>, description?: string): readonly PlannedType[] {
  const planned = planDeclarations(cleanSchema(toClosedSchema(shape, {}), "output"), name, taken, "closed");
  const [root, ...others] = planned.map((type) => ({ ...type, schema: leaveUnchecked(type.schema) as JsonObject }));
  if (root === undefined || description === undefined) return root === undefined ? [] : [root, ...others];
  return [{ ...root, schema: { ...root.schema, description } }, ...others];
}

/** What was not seen stays as JSON.parse gives it: a script that knows more than was observed needs no cast. */
function leaveUnchecked(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(leaveUnchecked);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).map(
    ([key, value]) => [key, key === "tsType" && value === "unknown" ? "any" : leaveUnchecked(value)] as const,
  );
  return toJsonObject(members);
}
