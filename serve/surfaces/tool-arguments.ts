import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { ToolCallResult } from "../surface.ts";

/** A call that cannot be answered, as an exception until it is a result. */
export class CallProblem extends Error {
  constructor(message: string, hint: string) {
    super(`${message} ${hint}`);
  }
}

/** The text of an argument. */
export function readText(input: JsonObject, key: string): string {
  const value = ownValue(input, key);
  if (typeof value === "string" && value !== "") return value;
  throw new CallProblem(`The argument "${key}" must be a string.`, `Pass a text for ${key}.`);
}

/** The text of an argument that may be left out; null is what some clients send for nothing. */
export function readOptionalText(input: JsonObject, key: string): string | undefined {
  return (ownValue(input, key) ?? null) === null ? undefined : readText(input, key);
}

/** A whole number that is at least 1, or undefined where it is left out. */
export function readOptionalCount(input: JsonObject, key: string): number | undefined {
  const value = ownValue(input, key) ?? undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  throw new CallProblem(`The argument "${key}" must be a whole number from 1.`, `Leave ${key} out, or pass 1 or more.`);
}

/** Answers a call with a text; what is wrong with the call becomes an error that says so. */
export async function answerCall(
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
