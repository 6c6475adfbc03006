import { isJsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { MalformedRequest } from "../surfaces/parse-script-request.ts";

/** A run that a client has begun before, and what it wants of it. */
export interface RunReference {
  runId: string;
  cancel: boolean;
}

/** Reads the arguments of a call that is about a run; undefined where they name none. */
export function parseRunReference(input: JsonValue | undefined): RunReference | MalformedRequest | undefined {
  if (!isJsonObject(input)) return undefined;
  const runId = ownValue(input, "runId") ?? null;
  if (runId === null) return undefined;
  const hint = 'Pass { "runId": "…" } alone, or with "cancel": true.';
  if (typeof runId !== "string") return { problem: 'The argument "runId" must be a string.', hint };
  // Clients that fill in every argument send an empty text for what they leave out.
  const hasProgram = ["code", "script"].some((key) => !["", null].includes((ownValue(input, key) ?? null) as string));
  if (hasProgram) return { problem: 'The arguments hold both "runId" and a program.', hint };
  const cancel = ownValue(input, "cancel") ?? false;
  if (typeof cancel !== "boolean") return { problem: 'The argument "cancel" must be true or false.', hint };
  return { runId, cancel };
}
