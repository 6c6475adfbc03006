import { type OpenApiServer, type OpenApiServerOptions, openApi } from "./open-api.ts";

export type { ApiLogin } from "./list-logins.ts";
export type { ApiConnection, OpenApiServer, OpenApiServerOptions, Transport } from "./open-api.ts";
export type { ObjectSchema, ToolDefinition } from "./open-api.ts";
export { OpenApiError } from "./openapi-error.ts";
export type { AddressVariable } from "./request/server-address.ts";

/** Reads an OpenAPI document, from a file, an address or a parsed value, and makes an MCP server of it. */
export function createOpenApiServer(
  document: string | object,
  options: OpenApiServerOptions = {},
): Promise<OpenApiServer> {
  return openApi(document, options);
}
