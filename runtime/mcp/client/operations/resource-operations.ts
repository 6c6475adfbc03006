import {
  isJsonObject,
  ownValue,
  toJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { WireTool } from "../../../../schemas/lock/server-snapshot.ts";
import { LIST_OPERATION, READ_OPERATION, templateOperation } from "./operation-name.ts";
import { parseUriTemplate, type TemplateVariable } from "./uri-template.ts";

/** Nothing is changed by a read, as far as MCP goes. */
export const READ_ONLY = { readOnlyHint: true };

const BLOB = {
  type: "object",
  properties: {
    uri: { type: "string" },
    mimeType: { type: "string" },
    blob: { type: "string", contentEncoding: "base64" },
  },
  required: ["uri", "blob"],
};

const TEXT = {
  type: "object",
  properties: { uri: { type: "string" }, mimeType: { type: "string" }, text: { type: "string" } },
  required: ["uri", "text"],
};

/** What a read returns: the text of one text, one blob, or a list of several contents. */
const READ_OUTPUT: JsonObject = {
  anyOf: [{ type: "string" }, BLOB, { type: "array", items: { anyOf: [TEXT, BLOB] } }],
};

const LIST_OUTPUT: JsonObject = {
  type: "array",
  items: {
    type: "object",
    properties: {
      uri: { type: "string" },
      name: { type: "string" },
      title: { type: "string" },
      description: { type: "string" },
      mimeType: { type: "string" },
      size: { type: "number" },
    },
    required: ["uri", "name"],
  },
};

/** The operations of every server that has resources. */
export const RESOURCE_OPERATIONS: readonly WireTool[] = [
  {
    name: LIST_OPERATION,
    description: "Lists the resources that there are now.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: LIST_OUTPUT,
    annotations: READ_ONLY,
  },
  {
    name: READ_OPERATION,
    description: "Reads a resource: its text, or its bytes in base64.",
    inputSchema: { type: "string", description: "The URI, as `list` gives it." },
    outputSchema: READ_OUTPUT,
    annotations: READ_ONLY,
  },
];

/** A resource template as the operation that reads what it describes; undefined for a template that cannot be expanded. */
export function toTemplateOperation(entry: JsonObject, uriTemplate: string): WireTool | undefined {
  const template = parseUriTemplate(uriTemplate);
  const name = ownValue(entry, "name");
  const mimeType = ownValue(entry, "mimeType");
  if (template === undefined || typeof name !== "string" || name === "") return undefined;
  return {
    name: templateOperation(uriTemplate),
    templateName: name,
    ...textsOf(entry),
    inputSchema: toInputSchema(template.variables),
    outputSchema: typeof mimeType === "string" ? { description: `Of type ${mimeType}.`, ...READ_OUTPUT } : READ_OUTPUT,
    annotations: READ_ONLY,
  };
}

function toInputSchema(variables: readonly TemplateVariable[]): JsonObject {
  const properties = variables.map(({ name, isList }) => {
    const schema: JsonValue = isList ? { type: "array", items: { type: "string" } } : { type: "string" };
    return [name, schema] as const;
  });
  return {
    type: "object",
    properties: toJsonObject(properties),
    required: variables.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The title and the description of an entry, where they are texts. */
export function textsOf(entry: JsonObject): JsonObject {
  const texts = ["title", "description"].flatMap((key) => {
    const text = ownValue(entry, key);
    return typeof text === "string" ? [[key, text] as const] : [];
  });
  return toJsonObject(texts);
}

/** The value of `resources/read`; undefined where the result is none. */
export function toResourceValue(result: JsonObject): JsonValue | undefined {
  const contents = ownValue(result, "contents");
  if (!Array.isArray(contents)) return undefined;
  const parts = contents.map(toContents);
  if (parts.some((part) => part === undefined)) return undefined;
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return parts as JsonValue[];
  return ownValue(only, "text") ?? only;
}

function toContents(entry: JsonValue): JsonObject | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { uri, mimeType, text, blob } = entry;
  if (typeof uri !== "string") return undefined;
  const named = withoutUndefined({ uri, mimeType: typeof mimeType === "string" ? mimeType : undefined });
  if (typeof text === "string") return { ...named, text };
  return typeof blob === "string" && !/[^A-Za-z0-9+/=\s]/.test(blob) ? { ...named, blob } : undefined;
}

/** A resource as `list` gives it; undefined for an entry without a URI or a name. */
export function toListedResource(entry: JsonValue): JsonObject | undefined {
  if (!isJsonObject(entry)) return undefined;
  const [uri, name, size] = [ownValue(entry, "uri"), ownValue(entry, "name"), ownValue(entry, "size")];
  const mimeType = ownValue(entry, "mimeType");
  if (typeof uri !== "string" || typeof name !== "string") return undefined;
  return {
    uri,
    name,
    ...textsOf(entry),
    ...withoutUndefined({
      mimeType: typeof mimeType === "string" ? mimeType : undefined,
      size: typeof size === "number" ? size : undefined,
    }),
  };
}
