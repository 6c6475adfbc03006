import { inputsInvalid } from "../../../schemas/errors.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { readText } from "../../project/files.ts";

/** One input of a batch. */
export interface BatchInput {
  /** Of the file, from 1. */
  line: number;
  input: JsonValue;
}

/** Reads a file of JSON Lines; blank lines are passed over. A line that is no JSON is an error before anything runs. */
export async function readInputs(file: string, shown: string): Promise<BatchInput[]> {
  const lines = (await readText(file)).replace(/^\uFEFF/, "").split("\n");
  return lines.flatMap((text, index) => (text.trim() === "" ? [] : [parseLine(text, index + 1, shown)]));
}

function parseLine(text: string, line: number, shown: string): BatchInput {
  try {
    return { line, input: JSON.parse(text) as JsonValue };
  } catch (error) {
    throw inputsInvalid(shown, line, (error as Error).message);
  }
}
