import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { answering, makeDocument } from "./connect-api.ts";

const TEXT = { type: "string" };

/** The tools of a document, by name. */
async function makeTools(paths: object, rest: object = {}, options: object = {}) {
  const { tools } = await createOpenApiServer(makeDocument(paths, rest), { mock: true, ...options });
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** The tool of one operation. */
async function makeTool(operation: object, rest: object = {}, method = "get", path = "/thing") {
  const tools = await makeTools({ [path]: { [method]: operation } }, rest);
  const [tool] = [...tools.values()];
  if (tool === undefined) throw new Error("no tool");
  return tool;
}

/** The input schema of a body, or the output schema of an answer. */
const inputOf = async (schema: object, rest: object = {}) =>
  (await makeTool({ requestBody: { required: true, content: { "application/json": { schema } } } }, rest, "post"))
    .inputSchema;
const outputOf = async (schema: object, rest: object = {}) => (await makeTool(answering(schema), rest)).outputSchema;

test("a name is the operation id, else method and path, and is unique", async () => {
  const long = "a".repeat(80);
  const tools = await makeTools({
    "/a": { get: { operationId: "repos/get-all" }, post: { operationId: "repos get-all" } },
    "/pets/{id}/photos": {
      parameters: [{ in: "path", name: "id", schema: TEXT }],
      get: {},
      put: { operationId: "Repos_get-all" },
    },
    "/long": { get: { operationId: `${long}1` }, put: { operationId: `${long}2` } },
    "/ü": { get: { operationId: "日本" } },
  });
  const names = [...tools.keys()];
  expect(names.slice(0, 4)).toEqual(["repos_get-all", "repos_get-all_2", "get_pets_id_photos", "Repos_get-all_3"]);
  expect(names.slice(4, 6).every((name) => /^a{55}_[0-9a-f]{8}$/.test(name))).toBe(true);
  expect(names[6]).toBe("get");
  expect(new Set(names).size).toBe(7);
});

test("annotations follow the method, and the description says what is sent", async () => {
  const paths = {
    "/a": Object.fromEntries(
      ["get", "head", "post", "put", "patch", "delete"].map((method) => [method, { operationId: method }]),
    ),
  };
  const tools = await makeTools(paths);
  expect(Object.fromEntries([...tools].map(([name, { annotations }]) => [name, annotations]))).toEqual({
    get: { readOnlyHint: true, openWorldHint: true },
    head: { readOnlyHint: true, openWorldHint: true },
    post: { readOnlyHint: false, openWorldHint: true },
    put: { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
    patch: { readOnlyHint: false, openWorldHint: true },
    delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  });
  const described = await makeTool({ summary: "Gets it.", description: "With care.", deprecated: true });
  expect(described).toMatchObject({
    title: "Gets it.",
    description: "Gets it.\n\nWith care.\n\nGET /thing (deprecated)",
  });
});

test("parameters and the fields of a body are arguments side by side", async () => {
  const parameters = [
    { in: "query", name: "id", schema: { type: "integer", minimum: 1, default: 5 }, description: "Which.", example: 7 },
    { in: "path", name: "id", schema: TEXT },
    { in: "header", name: "X-Trace", required: true, schema: { type: "string", format: "uuid" } },
    { in: "query", name: "old", deprecated: true, schema: TEXT },
  ];
  const schema = { type: "object", required: ["name"], properties: { name: TEXT, nick: { type: ["string", "null"] } } };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const tool = await makeTool({ parameters, requestBody }, {}, "post", "/things/{id}");
  expect(tool.inputSchema).toEqual({
    type: "object",
    properties: {
      id: TEXT,
      query_id: { type: "integer", minimum: 1, default: 5, description: "`id` in the query. Which.", examples: [7] },
      "X-Trace": { type: "string", format: "uuid" },
      old: { type: "string", deprecated: true },
      name: TEXT,
      nick: { type: ["string", "null"] },
    },
    required: ["id", "X-Trace", "name"],
    additionalProperties: false,
  });
  const colliding = await makeTool(
    {
      parameters,
      requestBody: { content: { "application/json": { schema: { type: "object", properties: { id: TEXT } } } } },
    },
    {},
    "post",
    "/things/{id}",
  );
  expect(Object.keys(colliding.inputSchema.properties ?? {})).toEqual(["id", "query_id", "X-Trace", "old", "body"]);
});

test("a body that is no plain object is the argument body", async () => {
  const whole = async (schema: object) => Object.keys((await inputOf(schema)).properties ?? {});
  for (const schema of [
    { type: "array", items: TEXT },
    { oneOf: [{ type: "object" }] },
    { type: "object", additionalProperties: TEXT },
    {},
  ]) {
    expect(await whole(schema)).toEqual(["body"]);
  }
  expect(await whole({ type: "object", properties: { a: TEXT }, additionalProperties: false })).toEqual(["a"]);
});

test("keywords of 3.0 become those of JSON Schema 2020-12", async () => {
  const of = async (schema: object) =>
    (await inputOf({ type: "object", properties: { it: schema } })).properties?.["it"];
  expect(await of({ type: "string", nullable: true, enum: ["a"] })).toEqual({
    type: ["string", "null"],
    enum: ["a", null],
  });
  expect(await of({ nullable: true, allOf: [{ type: "string" }] })).toEqual({
    anyOf: [{ allOf: [TEXT] }, { type: "null" }],
  });
  expect(await of({ type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false })).toEqual(
    { type: "number", exclusiveMinimum: 1, maximum: 2 },
  );
  expect(await of({ type: "string", example: "a", format: "byte" })).toEqual({
    type: "string",
    contentEncoding: "base64",
    examples: ["a"],
  });
  expect(await of({ type: "string", format: "iso-country", pattern: "(?<bad", xml: { name: "x" }, "x-a": 1 })).toEqual(
    TEXT,
  );
  expect(await of({ type: "object", properties: { example: TEXT, nullable: TEXT } })).toEqual({
    type: "object",
    properties: { example: TEXT, nullable: TEXT },
  });
});

test("arguments have no read-only members, results no write-only ones", async () => {
  const schema = {
    type: "object",
    required: ["id", "secret"],
    properties: { id: { ...TEXT, readOnly: true }, secret: { ...TEXT, writeOnly: true }, name: TEXT },
  };
  const nested = { type: "object", properties: { it: schema } };
  expect(await inputOf(nested)).toMatchObject({
    properties: { it: { properties: { secret: TEXT, name: TEXT }, required: ["secret"] } },
  });
  expect(await inputOf(schema)).toMatchObject({ properties: { secret: TEXT, name: TEXT }, required: ["secret"] });
  expect(await outputOf(schema)).toEqual({ type: "object", properties: { id: TEXT, name: TEXT }, required: ["id"] });
});

test("a discriminator ties each branch to its values", async () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const animal = {
    type: "object",
    properties: { kind: TEXT, lives: { type: "integer" }, friends: { type: "array", items: TEXT } },
  };
  const components = { schemas: { Cat: animal, Dog: animal } };
  const discriminator = {
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", kitten: "#/components/schemas/Cat" },
  };
  const branch = (name: string, kind: object): object => ({
    allOf: [{ $ref: `#/$defs/${name}` }, { type: "object", properties: { kind } }],
  });
  const output = await outputOf({ oneOf: [ref("Cat"), ref("Dog")], discriminator }, { components });
  expect(output).toMatchObject({
    type: "object",
    anyOf: [branch("Cat", { enum: ["cat", "kitten"] }), branch("Dog", { const: "Dog" })],
  });
});

test("output schemas are unions by status; what is no object is the member body", async () => {
  const json = (schema: unknown): object => ({ description: "x", content: { "application/json": { schema } } });
  const of = async (responses: object) => (await makeTool({ responses })).outputSchema;
  const a = { type: "object", properties: { a: TEXT } };
  const b = { type: "object", properties: { b: TEXT } };
  const links = { type: "object", additionalProperties: TEXT, description: "Of the Link header, by relation" };
  expect(await of({ 200: json(a), 404: json(b) })).toEqual(a);
  expect(await of({ 200: json(a), 201: json(b), 202: json(a) })).toEqual({ type: "object", anyOf: [a, b] });
  expect(await of({ "2XX": json({ type: "array", items: TEXT }) })).toEqual({
    type: "object",
    properties: { body: { type: "array", items: TEXT }, links },
    required: ["body"],
  });
  expect(await of({ 200: json(a), 204: { description: "none" } })).toEqual({
    type: "object",
    properties: { body: a, links },
  });
  expect(await of({ 204: { description: "none" } })).toBeUndefined();
  expect(await of({ default: json(a) })).toEqual(a);
  expect(await of({ 200: { description: "x", content: { "text/plain": {} } } })).toEqual({
    type: "object",
    properties: { body: TEXT },
    required: ["body"],
  });
  expect(await of({ 200: { description: "x", content: { "image/png": {} } } })).toBeUndefined();
});

test("a schema that refers to itself stands once in $defs, and a large one is cut where it is deepest", async () => {
  const node = {
    type: "object",
    required: ["children"],
    properties: { children: { type: "array", items: { $ref: "#/components/schemas/Node" } } },
  };
  const components = { schemas: { Node: node } };
  const reference = { $ref: "#/$defs/Node" };
  const written = {
    type: "object",
    required: ["children"],
    properties: { children: { type: "array", items: reference } },
  };
  expect(await outputOf({ $ref: "#/components/schemas/Node" }, { components })).toEqual({
    ...written,
    $defs: { Node: written },
  });

  const wide = (next: number): object => ({
    type: "object",
    properties: {
      ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`member-${index}`, TEXT])),
      next: { $ref: `#/components/schemas/W${next}` },
    },
  });
  const chain = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`W${index}`, wide((index + 1) % 30)]));
  const output = await outputOf({ $ref: "#/components/schemas/W0" }, { components: { schemas: chain } });
  expect(JSON.stringify(output).length).toBeLessThan(30_000);
  expect(JSON.stringify(output)).toContain("its schema is left out");
});

test("operations are selected by tag, method, path and id, and names stay what they were", async () => {
  const paths = {
    "/pets": { get: { operationId: "listPets", tags: ["pets"] }, delete: { operationId: "clear", tags: ["pets"] } },
    "/pets/a": { get: { operationId: "list/pets", tags: ["admin"] } },
    "/other": { get: { operationId: "listpets" } },
  };
  const names = async (include: string[], exclude: string[] = []) => [
    ...(await makeTools(paths, {}, { include, exclude })).keys(),
  ];
  expect(await names([])).toEqual(["listPets", "clear", "list_pets", "listpets_2"]);
  expect(await names(["tag:p*"])).toEqual(["listPets", "clear"]);
  expect(await names([], ["DELETE *", "tag:admin"])).toEqual(["listPets", "listpets_2"]);
  expect(await names(["GET /pets*"])).toEqual(["listPets", "list_pets"]);
  expect(await names(["/other", "clear"])).toEqual(["clear", "listpets_2"]);
  await expect(names(["tag:none"])).rejects.toThrow("no operation of 4 is left by --include and --exclude");
});
