import { isJsonObject, type JsonValue } from "../../../../schemas/json/json.ts";
import type { OperationName } from "./operation-name.ts";
import { expandUriTemplate, parseUriTemplate } from "./uri-template.ts";

/** The resource that a call is about; undefined for an operation that is about no single one, or where no URI can be made. */
export function uriOf(operation: OperationName, input: JsonValue): string | undefined {
  if (operation.kind === "resource-read") return typeof input === "string" ? input : undefined;
  const template = operation.kind === "resource-template" ? parseUriTemplate(operation.template) : undefined;
  return template === undefined || !isJsonObject(input) ? undefined : expandUriTemplate(template, input);
}
