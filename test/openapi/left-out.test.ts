import { expect, test } from "vitest";
import { createOpenApiServer, type OpenApiServer } from "../../openapi/server.ts";
import { answering, makeDocument } from "./connect-api.ts";

const GOOD = { operationId: "good", ...answering({ type: "object" }) };
const servers = [{ url: "https://api.example" }];

/** A document with one good operation, and what is wrong beside it. */
const open = (paths: object, rest: object = {}): Promise<OpenApiServer> =>
  createOpenApiServer(makeDocument({ "/good": { get: GOOD }, ...paths }, { servers, ...rest }));
const at = (operation: object): object => ({ "/bad": { get: { operationId: "bad", ...operation } } });
const query = (rest: object): object => at({ parameters: [{ name: "a", in: "query", ...rest }] });
const nowhere = { $ref: "#/components/schemas/Nowhere" };

test.each<[string, object, string]>([
  ["a path without /", { bad: { get: GOOD } }, "a path must begin with /"],
  ["a path that is a text", { "/bad": "get" }, "a path must be an object"],
  ["a path that refers to nothing", { "/bad": { $ref: "#/components/pathItems/a" } }, "leads to nothing"],
  ["a path that refers to itself", { "/bad": { $ref: "#/paths/~1bad" } }, "leads back to itself"],
  ["an operation that is a text", { "/bad": { get: "yes" } }, "an operation must be an object"],
  ["parameters that are no list", at({ parameters: {} }), "parameters must be a list"],
  ["a parameter in an unknown place", query({ in: "form" }), '"in" of parameter a is none of'],
  ["a parameter without a schema", query({}), "has neither schema nor content"],
  ["a style of another place", query({ style: "matrix", schema: {} }), "style matrix"],
  [
    "a parameter that refers to nothing",
    at({ parameters: [{ $ref: "#/components/parameters/a" }] }),
    "leads to nothing",
  ],
  ["a schema that refers to nothing", query({ schema: nowhere }), "leads to nothing"],
  [
    "a schema within a schema that refers to nothing",
    query({ schema: { type: "array", items: nowhere } }),
    "leads to nothing",
  ],
  ["an answer whose schema does", at(answering({ type: "object", properties: { a: nowhere } })), "leads to nothing"],
  ["a body that is a text", at({ requestBody: "json" }), "requestBody must be an object"],
  ["an unknown status", at({ responses: { ok: {} } }), '"ok" is no status'],
  ["security that is a text", at({ security: "key" }), "security must be a list"],
  [
    "a server that is no address",
    at({ servers: [{ url: "https://{region}.example" }] }),
    "does not say at which address",
  ],
])("%s leaves out its operation, with a reason, and no other", async (_, paths, reason) => {
  const { tools, leftOut } = await open(paths);
  expect(tools.map(({ name }) => name)).toEqual(["good"]);
  expect(leftOut).toEqual([expect.stringContaining(reason)]);
});

test("a named schema that is wrong leaves out only what uses it", async () => {
  const schemas = { Bad: { type: "object", properties: { a: nowhere } }, Fine: { type: "object" } };
  const uses = (name: string): object => ({
    get: { operationId: name, ...answering({ $ref: `#/components/schemas/${name}` }) },
  });
  const { tools, leftOut } = await open({ "/a": uses("Bad"), "/b": uses("Fine") }, { components: { schemas } });
  expect(tools.map(({ name }) => name)).toEqual(["good", "Fine"]);
  expect(leftOut).toHaveLength(1);
});

test("a security scheme that cannot be read is no login; one behind a reference is", async () => {
  const securitySchemes = {
    none: "key",
    lost: { $ref: "#/components/securitySchemes/nowhere" },
    near: { $ref: "#/components/securitySchemes/key" },
    key: { type: "apiKey", in: "header", name: "X-Key" },
  };
  const { logins, leftOut } = await open(
    {},
    { components: { securitySchemes }, security: [{ none: [] }, { lost: [] }, { near: [] }] },
  );
  expect(logins).toMatchObject([{ name: "near", kind: "apiKey in header X-Key", variables: ["OPENAPI_NEAR"] }]);
  expect(leftOut).toEqual([]);
});

test("an operation of Swagger 2.0 is left out in the same way", async () => {
  const bad = { operationId: "bad", parameters: [{ in: "formData", type: "string" }] };
  const both = {
    operationId: "both",
    parameters: [
      { in: "formData", name: "a", type: "string" },
      { in: "body", name: "b", schema: {} },
    ],
  };
  const lost = { operationId: "lost", parameters: [{ $ref: "#/parameters/a" }] };
  const { tools, leftOut } = await createOpenApiServer({
    ...{ swagger: "2.0", info: { title: "T", version: "1" }, host: "api.example" },
    paths: {
      "/good": { get: { operationId: "good" } },
      "/a": { post: bad },
      "/b": { post: both },
      "/c": { get: lost },
      "/d": { $ref: "#/nowhere" },
    },
  });
  expect(tools.map(({ name }) => name)).toEqual(["good"]);
  expect(leftOut).toEqual(
    ["has no name", "has a body and fields of a form", "leads to nothing", "leads to nothing"].map((text) =>
      expect.stringContaining(text),
    ),
  );
});

test("where no operation is left, the first reason is the error", async () => {
  const opened = createOpenApiServer(makeDocument({ "/a": { get: { security: "key" } }, b: {} }, { servers }));
  await expect(opened).rejects.toThrow("#/paths/~1a/get/security: security must be a list");
});
