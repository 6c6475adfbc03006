import type { ErrorObject } from "ajv";
import { type JsonValue, isJsonObject, type JsonObject } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { cleanInputSchema } from "../../../schemas/json-schema/clean-schema.ts";
import { compileSchema, type Validate } from "./compile-schema.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { ToolCall } from "../../../schemas/lock/tools.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { shortenText } from "../../../schemas/text/short-text.ts";
import { toSourceLiteral } from "../../../schemas/text/visible-text.ts";

/** The errors of an input against a locked tool's schema, none when it may be sent. */
export type InputCheck = (tool: LockedTool, input: JsonValue) => readonly ErrorObject[];

/** Makes a check that compiles each schema once, when its tool is first called. */
export function makeInputCheck(): InputCheck {
  const compiled = new Map<string, Validate>();
  return (tool, input) => {
    const known = compiled.get(tool.integrity);
    const validate = known ?? validateInput(tool.inputSchema);
    if (known === undefined) compiled.set(tool.integrity, validate);
    return validate(input);
  };
}

/** A schema that the compiler gives up on checks nothing here: the server's own check remains. */
export function validateInput(schema: JsonValue | undefined): Validate {
  try {
    return compileSchema(cleanInputSchema(schema));
  } catch {
    return () => [];
  }
}

/** An argument that the tool does not declare, and the optional one that its name resembles. */
interface MisspeltArgument {
  written: string;
  meant: string;
}

/** Scripts and schemas are hostile, and names are compared letter by letter: more arguments, longer ones and more names are not looked at. */
const MOST_ARGUMENTS = 20;
const LONGEST_ARGUMENT = 64;
const MOST_NAMES = 200;

/**
 * Finds arguments of a call that were probably meant to be optional ones of the tool: servers ignore what they do not know. An argument that is
 * there under its own name is not missed.
 */
export function findMisspeltArguments(
  tool: LockedTool,
  input: JsonValue,
  declared = declaredArguments(tool),
): MisspeltArgument[] {
  if (declared === undefined || !isJsonObject(input)) return [];
  const unknown = Object.keys(input).filter((name) => !declared.has(name) && name.length <= LONGEST_ARGUMENT);
  if (unknown.length === 0) return [];
  const absent = [...declared].slice(0, MOST_NAMES).filter((name) => !Object.hasOwn(input, name));
  return unknown.slice(0, MOST_ARGUMENTS).flatMap((written) => {
    const meant = nearestName(written, absent);
    return meant === undefined ? [] : [{ written, meant }];
  });
}

/** The names of a tool's arguments; undefined where it takes others too. */
function declaredArguments({ inputSchema }: LockedTool): ReadonlySet<string> | undefined {
  if (!isJsonObject(inputSchema) || takesAnyName(inputSchema)) return undefined;
  const { properties } = inputSchema;
  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
}

/** Keywords whose schemas declare arguments too, which are not looked for. */
const DECLARING_ELSEWHERE = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

function takesAnyName(schema: JsonObject): boolean {
  const { additionalProperties, patternProperties } = schema;
  if (DECLARING_ELSEWHERE.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}

/** A server ignores an argument that it does not know: the answer names one that resembles another, once for each tool. */
export function makeMisspeltReport(report: (diagnostic: Diagnostic) => void) {
  /** What is looked for, by tool: nothing where all is known, or has been reported. */
  const declared = new Map<LockedTool, ReadonlySet<string> | undefined>();
  return (tool: LockedTool, { serverId, input }: ToolCall): void => {
    if (!declared.has(tool)) declared.set(tool, declaredArguments(tool));
    const names = declared.get(tool);
    const [first] = names === undefined ? [] : findMisspeltArguments(tool, input, names);
    if (first === undefined) return;
    declared.set(tool, undefined);
    report({
      severity: "warning",
      code: "TYPE_ERROR",
      message: `The tool ${serverId}/${tool.name} has no argument ${toSourceLiteral(shortenText(first.written, 100))}.`,
      hint: `Did you mean ${toSourceLiteral(shortenText(first.meant, 100))}? Servers ignore what they do not know.`,
    });
  };
}
