import { expect, test } from "vitest";
import { parseDocument } from "../../openapi/document/parse-document.ts";
import { listOperations, type Operation } from "../../openapi/operations.ts";
import { createOpenApiServer } from "../../openapi/server.ts";
import { startScriptedApi } from "./scripted-api.ts";
import { ID, read, swagger } from "./swagger-document.ts";

/*
 * Swagger 2.0 beside OpenAPI 3.0, in the order of the specification: each row of a table is a member of a 2.0 document, and what it means in 3.0.
 */

const LIMITS = {
  ...{ type: "integer", format: "int32", default: 5, enum: [5, 10], maximum: 10, exclusiveMaximum: true, minimum: 1 },
  ...{ exclusiveMinimum: false, multipleOf: 5 },
};
const TEXTS = { type: "string", maxLength: 9, minLength: 1, pattern: "^a" };
const LIST = { type: "array", items: TEXTS, maxItems: 3, minItems: 1, uniqueItems: true, default: ["a"] };

test.each<[string, object]>([
  ["limits of numbers", LIMITS],
  ["limits of texts", TEXTS],
  ["limits and items of lists", LIST],
  ["null", { type: "string", "x-nullable": true }],
])("a parameter keeps %s, wherever it stands", async (_, value) => {
  for (const place of ["query", "header", "formData"]) {
    const parameter = { in: place, name: "p", description: "Which.", required: true, ...value };
    const { parameters, body } = await read({ parameters: [parameter] });
    if (place === "formData") {
      const media = body?.content[0]?.value as { schema: object };
      expect(body?.required).toBe(true);
      expect(media.schema).toEqual({
        type: "object",
        properties: { p: { ...value, description: "Which." } },
        required: ["p"],
      });
    } else {
      expect(parameters.at(-1)).toMatchObject({ name: "p", place, required: true, description: "Which." });
      expect(parameters.at(-1)?.schema.value).toEqual(value);
    }
  }
});

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

const field = (name: string, rest: object = {}): object => ({ in: "formData", name, type: "string", ...rest });
const file = field("f", { type: "file" });

test.each<[string, object, object, string[], boolean]>([
  ["nothing", { parameters: [field("a")] }, {}, [FORM], false],
  ["a file", { parameters: [file] }, {}, [MULTIPART], false],
  ["the document", { parameters: [field("a")] }, { consumes: [MULTIPART] }, [MULTIPART], false],
  [
    "the operation before the document",
    { consumes: [FORM], parameters: [field("a")] },
    { consumes: [MULTIPART] },
    [FORM],
    false,
  ],
  ["JSON, which is no form", { consumes: ["application/json"], parameters: [field("a")] }, {}, [FORM], false],
  ["a form that carries no file", { consumes: [FORM], parameters: [file] }, {}, [MULTIPART], false],
  ["both", { consumes: [FORM, MULTIPART], parameters: [field("a")] }, {}, [FORM, MULTIPART], false],
  ["both, with a file", { consumes: [FORM, MULTIPART], parameters: [field("a"), file] }, {}, [MULTIPART], false],
  [
    "nothing, and one field is required",
    { parameters: [field("a", { required: true }), field("b")] },
    {},
    [FORM],
    true,
  ],
])("fields of a form make its body: consumes says %s", async (_, operation, rest, types, required) => {
  const { body } = await read(operation, rest);
  expect(body?.content.map(({ mediaType }) => mediaType)).toEqual(types);
  expect(body?.required).toBe(required);
});

test("a file is bytes, as a field and as an answer, and an answer that is one is no JSON", async () => {
  const { body } = await read({ parameters: [file] });
  expect(body?.content[0]?.value).toMatchObject({
    schema: { properties: { f: { type: "string", format: "binary" } } },
  });
  const answer = (rest: object, document: object = {}) =>
    read({ ...rest, responses: { 200: { description: "ok", schema: { type: "file" } } } }, document);
  const contentOf = ({ responses }: Operation) =>
    responses[0]?.content.map(({ mediaType, value }) => [mediaType, value]);
  const schema = { schema: { type: "string", format: "binary" } };
  expect(contentOf(await answer({ produces: ["application/pdf"] }))).toEqual([["application/pdf", schema]]);
  expect(contentOf(await answer({}))).toEqual([["application/octet-stream", schema]]);
  expect(contentOf(await answer({}, { produces: ["application/json"] }))).toEqual([
    ["application/octet-stream", schema],
  ]);
  expect(contentOf(await answer({ produces: ["application/json", "text/csv"] }))).toEqual([["text/csv", schema]]);
});

test.each<[string, object, object, string[]]>([
  ["nothing", {}, {}, ["application/json"]],
  ["the document", {}, { produces: ["application/xml"] }, ["application/xml"]],
  ["the operation before the document", { produces: ["text/csv"] }, { produces: ["application/xml"] }, ["text/csv"]],
  [
    "an empty list of the operation, which takes back the document's",
    { produces: [] },
    { produces: ["application/xml"] },
    ["application/json"],
  ],
])("an answer has the media types that produces says: %s", async (_, operation, rest, types) => {
  const responses = { 200: { description: "ok", schema: { type: "object" } }, 204: { description: "none" } };
  const { responses: found } = await read({ ...operation, responses }, rest);
  expect(found.map(({ content }) => content.map(({ mediaType }) => mediaType))).toEqual([types, []]);
});

test("examples and headers of an answer are kept", async () => {
  const response = {
    ...{ description: "ok", schema: { type: "object" }, examples: { "application/json": { a: 1 }, "text/csv": "a" } },
    headers: { "X-Left": { type: "integer", minimum: 0, description: "How many." } },
  };
  const { root } = await parseDocument(swagger({ parameters: [ID], responses: { 200: response } }));
  expect(root).toMatchObject({
    paths: {
      "/a/{id}": {
        post: {
          responses: {
            200: {
              content: { "application/json": { schema: { type: "object" }, example: { a: 1 } } },
              headers: { "X-Left": { description: "How many.", schema: { type: "integer", minimum: 0 } } },
            },
          },
        },
      },
    },
  });
});

test.each<[string, object, object, string[]]>([
  ["nothing", {}, {}, ["application/json"]],
  ["the document", {}, { consumes: ["application/xml"] }, ["application/xml"]],
  [
    "the operation",
    { consumes: ["application/json", "text/plain"] },
    { consumes: ["application/xml"] },
    ["application/json", "text/plain"],
  ],
  ["an empty list", { consumes: [] }, { consumes: ["application/xml"] }, ["application/json"]],
])("a body has the media types that consumes says: %s", async (_, operation, rest, types) => {
  const body = { in: "body", name: "b", description: "What.", required: true, schema: { $ref: "#/definitions/A" } };
  const definitions = { A: { type: "object", properties: { a: { type: "string" } } } };
  const found = await read({ ...operation, parameters: [body] }, { ...rest, definitions });
  expect(found.body).toMatchObject({ required: true, description: "What." });
  expect(found.body?.content.map(({ mediaType }) => mediaType)).toEqual(types);
  expect(found.body?.content[0]?.value).toEqual({ schema: { $ref: "#/definitions/A" } });
  expect((await read({ parameters: [{ in: "body", name: "b", schema: {} }] })).body?.required).toBe(false);
});

test.each<[string, object, object, string | undefined, string[]]>([
  [
    "host, schemes and basePath",
    {},
    { host: "a.example", schemes: ["https"], basePath: "/v1" },
    undefined,
    ["https://a.example/v1"],
  ],
  ["a path without a slash", {}, { host: "a.example", basePath: "v1" }, undefined, ["https://a.example/v1"]],
  [
    "several schemes",
    {},
    { host: "a.example:8", schemes: ["http", "https"] },
    undefined,
    ["http://a.example:8", "https://a.example:8"],
  ],
  ["a web socket beside", {}, { host: "a.example", schemes: ["wss", "https"] }, undefined, ["https://a.example"]],
  ["no scheme, in a file", {}, { host: "a.example", schemes: undefined }, undefined, ["https://a.example"]],
  [
    "schemes of the operation",
    { schemes: ["http"] },
    { host: "a.example", schemes: ["https"] },
    undefined,
    ["http://a.example"],
  ],
  ["a path alone", {}, { host: undefined, basePath: "/v1" }, undefined, ["/v1"]],
])("the address of an operation is made of %s", async (_, operation, rest, address, urls) => {
  const { servers } = await read(operation, rest, address);
  expect(servers.map(({ url }) => url)).toEqual(urls);
});

test("without a scheme the address has the one of the document's own address, and without a host its host", async () => {
  const body = JSON.stringify(swagger({ parameters: [ID] }, { host: "127.0.0.1:1", schemes: undefined }));
  const { origin } = await startScriptedApi(({ url }, response) =>
    response.end(url === "/a.json" ? body : body.replace('"host":"127.0.0.1:1",', "")),
  );
  expect((await createOpenApiServer(`${origin}/a.json`)).base?.href).toBe("http://127.0.0.1:1/");
  expect((await createOpenApiServer(`${origin}/b.json`)).base?.href).toBe(`${origin}/`);
});

const OAUTH = {
  type: "oauth2",
  authorizationUrl: "https://a.example/go",
  tokenUrl: "https://a.example/token",
  scopes: { s: "S" },
};
const { type: _, ...FLOW } = OAUTH;

test.each<[string, object, object]>([
  ["basic", { type: "basic", description: "d" }, { type: "http", scheme: "basic", description: "d" }],
  ["a key", { type: "apiKey", in: "query", name: "k" }, { type: "apiKey", in: "query", name: "k" }],
  ...(
    [
      ["implicit", "implicit"],
      ["password", "password"],
      ["application", "clientCredentials"],
      ["accessCode", "authorizationCode"],
    ] as const
  ).map(([flow, named]): [string, object, object] => [
    flow,
    { ...OAUTH, flow },
    { type: "oauth2", flows: { [named]: FLOW } },
  ]),
])("the login %s is one of 3.0", async (_name, definition, upgraded) => {
  const { root } = await parseDocument(swagger({ parameters: [ID] }, { securityDefinitions: { login: definition } }));
  expect(root).toMatchObject({ components: { securitySchemes: { login: upgraded } } });
});

test("security, tags, texts and marks of an operation are kept, and one of the operation replaces the document's", async () => {
  const kept = { tags: ["t"], summary: "S", description: "D", deprecated: true, security: [{ b: ["s"] }] };
  const found = await read(kept, { security: [{ a: [] }] });
  expect(found).toMatchObject({
    id: "a",
    tags: ["t"],
    summary: "S",
    description: "D",
    deprecated: true,
    security: [["b"]],
  });
  expect((await read({}, { security: [{ a: [] }] })).security).toEqual([["a"]]);
});

test("a parameter of the operation replaces one of its path, also a body of another name", async () => {
  const paths = {
    "/a": {
      parameters: [
        { in: "query", name: "q", type: "string" },
        { in: "body", name: "all", schema: { type: "object" } },
      ],
      post: {
        parameters: [
          { in: "query", name: "q", type: "integer" },
          { in: "body", name: "own", schema: { type: "array" } },
        ],
      },
      put: {},
    },
  };
  const [put, post] = listOperations(await parseDocument({ ...swagger({}), paths }));
  expect(post?.parameters.map(({ schema }) => schema.value)).toEqual([{ type: "integer" }]);
  expect(post?.body?.content[0]?.value).toEqual({ schema: { type: "array" } });
  expect(put?.body?.content[0]?.value).toEqual({ schema: { type: "object" } });
});

test("parameters and answers that operations share are put in their place, also fields of a form", async () => {
  const rest = {
    parameters: {
      Size: { in: "query", name: "size", type: "integer", maximum: 9 },
      Mode: { ...field("mode", { required: true, enum: ["a"] }) },
    },
    responses: { Fine: { description: "fine", schema: { type: "array", items: { type: "string" } } } },
  };
  const found = await read(
    {
      parameters: [{ $ref: "#/parameters/Size" }, { $ref: "#/parameters/Mode" }],
      responses: { 200: { $ref: "#/responses/Fine" } },
    },
    rest,
  );
  expect(found.parameters.at(-1)).toMatchObject({ name: "size", schema: { value: { maximum: 9 } } });
  expect(found.body?.content[0]?.value).toMatchObject({
    schema: { required: ["mode"], properties: { mode: { enum: ["a"] } } },
  });
  expect(found.responses[0]?.content[0]?.value).toMatchObject({ schema: { type: "array" } });
});

test("a form is checked before it is sent", async () => {
  const parameters = [
    field("channel", { required: true }),
    field("kind", { enum: ["a", "b"], required: true }),
    field("users", { type: "array", items: { type: "string" }, collectionFormat: "csv" }),
    field("limit", { type: "integer", minimum: 1, maximum: 10 }),
  ];
  const { tools } = await createOpenApiServer(swagger({ consumes: [FORM], parameters: [ID, ...parameters] }));
  expect(tools[0]?.inputSchema).toMatchObject({
    properties: {
      kind: { enum: ["a", "b"] },
      users: { items: { type: "string" } },
      limit: { minimum: 1, maximum: 10 },
    },
    required: ["id", "channel", "kind"],
  });
});
