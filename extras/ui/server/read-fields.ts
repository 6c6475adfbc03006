import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";
import type { Draft, DraftPlace, RunDraft, ToolPlace } from "../../../schemas/ui-messages.ts";
import { RouteProblem } from "./route-problem.ts";

/** A text of a request. */
export function readText(request: JsonObject, key: string): string {
  const value = ownValue(request, key);
  if (typeof value !== "string") throw new RouteProblem(400, `"${key}" of the request is not a string.`);
  return value;
}

export function readFlag(request: JsonObject, key: string): boolean {
  return ownValue(request, key) === true;
}

function readValue(request: JsonObject, key: string): JsonValue {
  return ownValue(request, key) ?? null;
}

/** Whether it fits the question is the host's to say. */
export function readReply(request: JsonObject): PersonsReply {
  const content = ownValue(request, "content");
  const action = readText(request, "action");
  if (action === "accept")
    return { action, ...withoutUndefined({ content: isJsonObject(content) ? content : undefined }) };
  return { action: action === "decline" ? "decline" : "cancel" };
}

export function readToolPlace(request: JsonObject): ToolPlace {
  return { serverId: readText(request, "serverId"), toolName: readText(request, "toolName") };
}

export function readDraft(request: JsonObject): Draft {
  const code = readText(request, "code");
  return Object.hasOwn(request, "script") ? { code, script: readText(request, "script") } : { code };
}

export function readDraftPlace(request: JsonObject): DraftPlace {
  const offset = readValue(request, "offset");
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) {
    throw new RouteProblem(400, '"offset" of the request is not a position in a text.');
  }
  return { ...readDraft(request), offset };
}

export function readRunDraft(request: JsonObject): RunDraft {
  return { ...readDraft(request), input: readValue(request, "input"), isDry: readFlag(request, "isDry") };
}
