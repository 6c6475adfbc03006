import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { createOpenApiServer, type OpenApiServerOptions } from "../../openapi/server.ts";

/** A result of a tool, as tests read it. */
export interface ReadResult {
  isError: boolean;
  text: string;
  structured: unknown;
  content: unknown[];
  http: { status: number; headers: Record<string, string>; links?: Record<string, string> };
}

/** An MCP client of the server that is made of a document. */
export async function connectApi(document: string | object, options: OpenApiServerOptions = {}) {
  const api = await createOpenApiServer(document, options);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await api.makeServer().connect(serverSide);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(clientSide);
  onTestFinished(() => client.close());
  const call = async (name: string, input: object = {}, signal?: AbortSignal, meta?: object): Promise<ReadResult> => {
    const request = { name, arguments: { ...input }, ...(meta && { _meta: { ...meta } }) };
    const result = await client.callTool(request, signal === undefined ? {} : { signal });
    const [first] = result.content;
    return {
      isError: result.isError === true,
      text: first?.type === "text" ? first.text : "",
      structured: result.structuredContent,
      content: result.content,
      http: result._meta?.["dev.codemode/http"] as ReadResult["http"],
    };
  };
  return { api, client, call };
}

/** A document of OpenAPI 3.1 with these paths. */
export function makeDocument(paths: object, rest: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Test", version: "1" }, paths, ...rest };
}

/** An operation that answers with JSON of a schema. */
export function answering(schema: unknown, rest: object = {}): object {
  return { responses: { 200: { description: "ok", content: { "application/json": { schema } } } }, ...rest };
}
