import type { Config } from "../../../schemas/config/config.ts";
import type { OnHidden, ProgramTool } from "../../../schemas/config/program-server.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../../schemas/lock/tools.ts";
import { toFailure } from "../../mcp/connect-functions.ts";
import { fillDefaults } from "./fill-defaults.ts";

/** An input after the check of its own tool, or the result that says why there is none. */
export type OwnInput =
  | {
      /** As JSON: what is judged, shown, logged, sent and kept. */
      input: JsonObject;
      /** What the function gets, which may be no JSON. */
      taken: { value: unknown };
    }
  | { failed: JsonObject };

/** Holds an input against the check of the program's own tool; undefined where the tool has none. */
export type OwnInputCheck = (
  call: Pick<ToolCall, "serverId" | "toolName">,
  input: JsonObject,
  tool: Pick<LockedTool, "inputSchema">,
) => OwnInput | Promise<OwnInput> | undefined;

/** Makes the check of all own tools; undefined where none has one. It runs once for each call, before anything is decided about it. */
export function makeOwnInputCheck({ own = [] }: Pick<Config, "own">): OwnInputCheck | undefined {
  if (own.length === 0) return undefined;
  const programs = new Map(own.map(({ id, source }) => [id, source.program]));
  return ({ serverId, toolName }, input, { inputSchema }) => {
    const program = programs.get(serverId);
    if (program === undefined) return undefined;
    const tool = program.kind === "functions" ? program.tools.get(toolName) : undefined;
    if (tool?.check !== undefined) return checkInput(tool.check, input, program.onHidden);
    // Their own check is within them, and makes at least this of it.
    if (program.kind === "functions" && tool?.fillsDefaults !== true) return undefined;
    const filled = fillDefaults(inputSchema, input);
    return filled === input ? undefined : { input: filled, taken: { value: filled } };
  };
}

function checkInput(
  check: NonNullable<ProgramTool["check"]>,
  input: JsonObject,
  onHidden: OnHidden | undefined,
): OwnInput | Promise<OwnInput> {
  const fail = (error: unknown): OwnInput => ({ failed: toFailure(error, onHidden) });
  try {
    const value = check(input);
    if (value instanceof Promise) return value.then((late) => toOwnInput(late, input)).catch(fail);
    return toOwnInput(value, input);
  } catch (error) {
    return fail(error);
  }
}

/**
 * What the function of a tool got for an input that was kept, for its `undo`: what the check makes of it where that is the same again, and what was
 * kept where a check converts or makes up values.
 */
export async function takeAgain({ check }: Partial<Pick<ProgramTool, "check">>, input: JsonObject): Promise<unknown> {
  if (check === undefined) return input;
  try {
    const value = await check(structuredClone(input));
    return JSON.stringify(printInput(value)) === JSON.stringify(input) ? value : input;
  } catch {
    return input;
  }
}

function toOwnInput(value: unknown, input: JsonObject): OwnInput {
  return { input: isUnchanged(value, input) ? input : printInput(value), taken: { value } };
}

/** For each call: most checks change nothing, and most inputs have simple values alone. */
function isUnchanged(value: unknown, input: JsonObject): boolean {
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const made = value as { [name: string]: unknown };
  const names = Object.keys(input);
  const isSame = (name: string): boolean => made[name] === input[name] && typeof made[name] !== "object";
  return Object.keys(made).length === names.length && names.every(isSame);
}

/** A value of a check as JSON, with words for what JSON has no form of. */
function printInput(value: unknown): JsonObject {
  const printed = JSON.parse(JSON.stringify(value, toPrintable) ?? "null") as JsonValue;
  return isJsonObject(printed) ? printed : { value: printed };
}

function toPrintable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  return value;
}

/** A copy for a callback, which cannot change by it what is sent. An object of a class is the same one. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date || value instanceof Map || value instanceof Set) return structuredClone(value);
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}
