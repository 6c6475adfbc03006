import { type OpenApiServer, openApi } from "./open-api.ts";
import type { OpenApiServerOptions } from "./server-options.ts";

export type { ApiLogin } from "./list-logins.ts";
export type { ApiConnection, OpenApiServer, Transport } from "./open-api.ts";
export type { OpenApiServerOptions } from "./server-options.ts";
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
