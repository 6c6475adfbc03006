import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { Client as ClientOf1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryTransportOf1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, test } from "vitest";
import manifest from "../../openapi/package.json" with { type: "json" };

/** What a user imports. */
const LINKED = new URL(`../../openapi/${manifest.exports["."].default}`, import.meta.url).href;
const { createOpenApiServer } = (await import(LINKED)) as typeof import("../../openapi/server.ts");

const names = { type: "array", items: { type: "string" }, example: ["Rex"] };
const schema = { type: "object", required: ["names"], properties: { names } };
const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
const PETS = {
  ...{ openapi: "3.1.0", info: { title: "Pets", version: "1" } },
  paths: { "/pets": { get: { operationId: "listPets", responses } } },
};
const INFO = { name: "test", version: "1" };

test("as published, it serves over a transport of the SDK that a program has: 2", async () => {
  const api = await createOpenApiServer(PETS, { mock: true });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await api.makeServer().connect(far);
  const client = new Client(INFO);
  await client.connect(near);
  expect((await client.callTool({ name: "listPets" })).structuredContent).toEqual({ names: ["Rex"] });
  await client.close();
});

test("as published, it serves over a transport of the SDK that a program has: 1", async () => {
  const api = await createOpenApiServer(PETS, { mock: true });
  const [near, far] = InMemoryTransportOf1.createLinkedPair();
  const server = api.makeServer();
  await server.connect(far);
  const client = new ClientOf1(INFO);
  await client.connect(near);
  expect((await client.callTool({ name: "listPets" })).structuredContent).toEqual({ names: ["Rex"] });
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  await server.close();
  await closed;
});
