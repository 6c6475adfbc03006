import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { ToolCallResult } from "../surface.ts";
import { nearestTool } from "@codemode/runtime/nearest-name";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import { toSourceLiteral } from "../../schemas/text/visible-text.ts";

/** A call that cannot be answered, as an exception until it is a result. */
export class CallProblem extends Error {
  constructor(message: string, hint: string) {
    super(`${message} ${hint}`);
  }
}

/** The text of an argument. */
export function textArgument(input: JsonObject, key: string): string {
  const value = ownValue(input, key);
  if (typeof value === "string" && value !== "") return value;
  throw new CallProblem(`The argument "${key}" must be a string.`, `Pass a text for ${key}.`);
}

/** The text of an argument that may be left out; null is what some clients send for nothing. */
export function readOptionalText(input: JsonObject, key: string): string | undefined {
  return (ownValue(input, key) ?? null) === null ? undefined : textArgument(input, key);
}

/** A whole number that is at least 1, or undefined where it is left out. */
export function readOptionalCount(input: JsonObject, key: string): number | undefined {
  const value = ownValue(input, key) ?? undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new CallProblem(`The argument "${key}" must be a whole number from 1.`, `Leave ${key} out, or pass 1 or more.`);
}

/** Answers a call with a text; what is wrong with the call becomes an error that says so. */
export async function answerWithText(
  input: JsonValue | undefined,
  answer: (input: JsonObject) => Promise<ToolCallResult> | ToolCallResult,
): Promise<ToolCallResult> {
  try {
    return await answer(isJsonObject(input) ? input : {});
  } catch (error) {
    if (error instanceof CallProblem) return { ...textResult(error.message), isError: true };
    throw error;
  }
}

/** A result that is one text. */
export function textResult(text: string): ToolCallResult {
  return { content: [{ type: "text", text }] };
}

/** How much of a name that an agent made up is repeated to it. */
const LONGEST_NAME = 100;

/** The server that an agent names, or a module of one. */
export function serverOfArgument(lockfile: Lockfile, name: string, otherwise: string): LockedServer {
  const modules = modulesOfLockfile(lockfile);
  const server = modules.get(name);
  if (server !== undefined) return server;
  throw new CallProblem(`There is no server ${quote(name)}.`, didYouMean(name, [...modules.keys()], otherwise));
}

/** The tool that an agent names: by its own name, or the name of its export. */
export function findTool(server: LockedServer, name: string, otherwise: string): LockedTool {
  const tool =
    server.tools.find((entry) => entry.name === name) ?? server.tools.find(({ exportName }) => exportName === name);
  if (tool !== undefined) return tool;
  const known = server.tools.map(({ exportName }) => exportName);
  throw new CallProblem(`The server "${server.id}" has no tool ${quote(name)}.`, didYouMean(name, known, otherwise));
}

function didYouMean(name: string, known: readonly string[], otherwise: string): string {
  const nearest = nearestTool(name.slice(0, LONGEST_NAME), known);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function quote(name: string): string {
  return toSourceLiteral(name.slice(0, LONGEST_NAME));
}
