import { expect, test } from "vitest";
import type { OpenApiServerOptions } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const ID = { type: "integer", format: "int64" };
const ORDER = {
  type: "object",
  properties: {
    id: ID,
    count: { type: "integer" },
    tags: { type: "array", items: ID },
    next: { $ref: "#/components/schemas/Order" },
  },
  required: ["id"],
};
const BODY =
  '{"id":9007199254740993,"count":7,"tags":[1,-9007199254740993],"next":{"id":12345678901234567890},"other":9007199254740995}';

/** What an API with large integers got and gave. */
async function callOrders(options: OpenApiServerOptions, list = false, input: object = {}) {
  const bodies: string[] = [];
  const { origin, seen } = await startScriptedApi((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end(list ? `[${BODY}]` : BODY);
    });
  });
  const schema = { $ref: "#/components/schemas/Order" };
  const operation = {
    operationId: "put",
    parameters: [{ in: "query", name: "after", schema: ID }],
    requestBody: { content: { "application/json": { schema } } },
    ...answering(list ? { type: "array", items: schema } : schema),
  };
  const document = makeDocument({ "/orders": { put: operation } }, { components: { schemas: { Order: ORDER } } });
  const { api, client, call } = await connectApi(document, { baseUrl: origin, ...options });
  const { structured } = await call("put", input);
  const result = await client.callTool({ name: "put", arguments: { ...input } });
  return {
    api,
    structured,
    bodies,
    urls: seen.map(({ url }) => url),
    changed: result._meta?.["dev.codemode/changed-number"],
  };
}

test("an integer that JavaScript changes is noted with its place and both values", async () => {
  expect(await callOrders({})).toMatchObject({
    structured: { id: 9007199254740992 },
    changed: { pointer: "/id", written: "9007199254740993", read: "9007199254740992" },
  });
  expect((await callOrders({}, true)).changed).toMatchObject({ pointer: "/body/0/id" });
});

test("with --int64 string they are texts in results, arguments and types, small ones too", async () => {
  const input = {
    after: "9007199254740993",
    id: "9007199254740995",
    count: 3,
    tags: ["9007199254740997", 5],
    next: { id: 6 },
  };
  const { api, structured, bodies, urls, changed } = await callOrders({ int64: "string" }, false, input);
  expect(structured).toEqual({
    ...{ id: "9007199254740993", count: 7, tags: ["1", "-9007199254740993"], next: { id: "12345678901234567890" } },
    // The document does not say what this is.
    other: 9007199254740996,
  });
  expect(changed).toMatchObject({ pointer: "/other", written: "9007199254740995" });
  expect(bodies[0]).toBe('{"id":9007199254740995,"count":3,"tags":[9007199254740997,5],"next":{"id":6}}');
  expect(urls[0]).toBe("/orders?after=9007199254740993");
  const [tool] = api.tools;
  expect(tool?.inputSchema.properties).toMatchObject({ after: { type: ["integer", "string"], pattern: "^-?[0-9]+$" } });
  expect(tool?.outputSchema).toMatchObject({ properties: { id: { type: "string" }, count: { type: "integer" } } });
  expect((await callOrders({ int64: "string" }, true)).structured).toMatchObject({
    body: [{ id: "9007199254740993" }],
  });
});
