import { withoutMark } from "../../schemas/text/without-mark.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { isRunKey, RUN_KEY_RULE } from "../../schemas/run/run-key.ts";
import type { SavedScriptCall, ScriptRequest, SentCode } from "../surface.ts";

/** Of UTF-16 units. All clients' scripts are bundled in turn, so that none may be as long as a client likes. */
const MAX_CODE_LENGTH = 512 * 1024;

/** What is wrong with the arguments of a call, and what to send. */
export interface MalformedRequest {
  problem: string;
  hint: string;
}

/** Reads the arguments of the tool that runs code (specification 3.2). */
export function parseScriptRequest(input: JsonValue | undefined): ScriptRequest | MalformedRequest {
  if (input === undefined || !isJsonObject(input)) {
    return malformed("The arguments must be an object.", 'Pass an object with "code".');
  }
  const limits = ownValue(input, "limits") ?? {};
  const requestedCapabilities = ownValue(input, "requestedCapabilities") ?? [];
  const program = parseProgram(input);
  const key = parseKey(input);
  if ("problem" in program) return program;
  if (typeof key === "object") return key;
  if (!isJsonObject(limits)) {
    return malformed('The argument "limits" must be an object.', 'Leave it out, or pass { "timeoutMs": 10000 }.');
  }
  if (!isListOfStrings(requestedCapabilities)) {
    return malformed(
      'The argument "requestedCapabilities" must be a list of strings.',
      "Leave it out, or pass ids of servers.",
    );
  }
  const given = { input: ownValue(input, "input") ?? null, ...withoutUndefined({ key }) };
  return { ...program, ...given, limits, requestedCapabilities };
}

/** Clients that fill in every argument send an empty text for what they leave out. */
function parseKey(input: JsonObject): string | undefined | MalformedRequest {
  const key = ownValue(input, "key") ?? "";
  if (key === "") return undefined;
  if (typeof key === "string" && isRunKey(key)) return key;
  return malformed('The argument "key" cannot be the key of a run.', `A key has ${RUN_KEY_RULE}.`);
}

/** Code, or the name of a saved script; some clients send null for what they leave out. */
function parseProgram(input: JsonObject): SentCode | SavedScriptCall | MalformedRequest {
  const code = ownValue(input, "code") ?? null;
  const script = ownValue(input, "script") ?? null;
  if (script !== null) {
    if (typeof script !== "string") {
      return malformed('The argument "script" must be a string.', "Pass the name of a saved script.");
    }
    if (code !== null) return malformed('The arguments hold both "code" and "script".', "Pass one of them.");
    return { script };
  }
  if (typeof code !== "string") {
    return malformed('The argument "code" must be a string.', "Pass the source of an ES module.");
  }
  if (code.length > MAX_CODE_LENGTH) {
    return malformed(
      `The code is longer than ${MAX_CODE_LENGTH} characters.`,
      'Pass large data as "input", or read it with a tool.',
    );
  }
  return { code: withoutMark(code) };
}

function isListOfStrings(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function malformed(problem: string, hint: string): MalformedRequest {
  return { problem, hint };
}

/** A run that a client has begun before, and what it wants of it. */
interface RunReference {
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
