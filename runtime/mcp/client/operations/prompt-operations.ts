import {
  isJsonObject,
  ownValue,
  toJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { WireTool } from "../../../../schemas/lock/server-snapshot.ts";
import { promptOperation } from "./operation-name.ts";
import { READ_ONLY, textsOf } from "./resource-operations.ts";

const MAX_ARGUMENTS = 100;

/** What a prompt returns: the messages that it makes. */
const PROMPT_OUTPUT: JsonObject = {
  type: "object",
  properties: {
    description: { type: "string" },
    messages: {
      type: "array",
      items: {
        type: "object",
        properties: {
          role: { enum: ["user", "assistant"] },
          content: {
            type: "object",
            properties: {
              type: { type: "string" },
              text: { type: "string" },
              data: { type: "string", contentEncoding: "base64" },
              mimeType: { type: "string" },
              resource: { type: "object" },
            },
            required: ["type"],
          },
        },
        required: ["role", "content"],
      },
    },
  },
  required: ["messages"],
};

/** A prompt as the operation that gets it; undefined where its arguments are not what MCP says. */
export function toPromptOperation(entry: JsonObject, name: string): WireTool | undefined {
  const listed = ownValue(entry, "arguments") ?? [];
  if (!Array.isArray(listed) || listed.length > MAX_ARGUMENTS) return undefined;
  const parameters = listed.map(toParameter);
  const names = new Set(parameters.map((parameter) => parameter?.name));
  if (names.has(undefined) || names.size < parameters.length) return undefined;
  const found = parameters.filter((parameter) => parameter !== undefined);
  return {
    name: promptOperation(name),
    ...textsOf(entry),
    inputSchema: {
      type: "object",
      properties: toJsonObject(found.map(({ name: key, schema }) => [key, schema] as const)),
      required: found.filter(({ isRequired }) => isRequired).map(({ name: key }) => key),
      additionalProperties: false,
    },
    outputSchema: PROMPT_OUTPUT,
    annotations: READ_ONLY,
  };
}

function toParameter(entry: JsonValue): { name: string; schema: JsonObject; isRequired: boolean } | undefined {
  if (!isJsonObject(entry)) return undefined;
  const name = ownValue(entry, "name");
  if (typeof name !== "string" || name === "") return undefined;
  return { name, schema: { type: "string", ...textsOf(entry) }, isRequired: ownValue(entry, "required") === true };
}

/** The value of `prompts/get`; undefined where the result is none. */
export function toPromptValue(result: JsonObject): JsonValue | undefined {
  const [description, messages] = [ownValue(result, "description"), ownValue(result, "messages")];
  if (!Array.isArray(messages) || !messages.every(isMessage)) return undefined;
  return withoutUndefined({ description: typeof description === "string" ? description : undefined, messages });
}

function isMessage(message: JsonValue): boolean {
  if (!isJsonObject(message)) return false;
  const [role, content] = [ownValue(message, "role"), ownValue(message, "content")];
  return (role === "user" || role === "assistant") && isJsonObject(content) && typeof content["type"] === "string";
}
