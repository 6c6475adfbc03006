import { ownValue, type JsonObject } from "../../json.ts";
import type { OperationName } from "./operation-name.ts";
import { expandUriTemplate, parseUriTemplate } from "./uri-template.ts";

/** The resource that a call is about; undefined for an operation that is about no single one, or where no URI can be made. */
export function uriOf(operation: OperationName, input: JsonObject): string | undefined {
  if (operation.kind === "resource-read") {
    const uri = ownValue(input, "uri");
    return typeof uri === "string" ? uri : undefined;
  }
  const template = operation.kind === "resource-template" ? parseUriTemplate(operation.template) : undefined;
  return template === undefined ? undefined : expandUriTemplate(template, input);
}
