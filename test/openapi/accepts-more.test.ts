import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { createSchemaLibrary } from "../../openapi/tools/schema-library.ts";
import type { Json, JsonObject } from "../../openapi/json.ts";
import { answering, makeDocument } from "./connect-api.ts";

const TEXT = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonBody = (schema: object) => ({ requestBody: { required: true, content: { "application/json": { schema } } } });

/** Whether a tool takes these arguments, as a client checks it. */
async function accepts(schemas: object, schema: object, inputs: object[], maxLength?: number): Promise<boolean[]> {
  const components = { schemas };
  if (maxLength !== undefined) {
    const library = createSchemaLibrary({ components } as JsonObject);
    const written = library.write({ value: schema as Json, pointer: "#/x" }, "input") as JsonObject;
    return check(library.close({ type: "object", properties: { body: written } }, "input", maxLength), inputs);
  }
  const wrapped = { type: "object", properties: { body: schema } };
  const paths = { "/a": { post: { operationId: "a", ...jsonBody(wrapped), ...answering({ type: "object" }) } } };
  const { tools } = await createOpenApiServer(makeDocument(paths, { components }), { mock: true });
  return check(tools[0]?.inputSchema as JsonObject, inputs);
}

function check(schema: JsonObject, inputs: object[]): boolean[] {
  const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  return inputs.map((body) => valid({ body }));
}

test("one fitting branch of oneOf is enough for an argument, as it is for an answer", async () => {
  const option = (name: string) => ({ type: "object", properties: { id: TEXT, [name]: TEXT } });
  const schemas = { A: option("a"), B: option("b") };
  const oneOf = { oneOf: [ref("A"), ref("B"), { type: "object" }] };
  expect(await accepts(schemas, oneOf, [{ id: "1" }, { a: "1" }, [] as object])).toEqual([true, true, false]);
  // Beside anyOf, both hold.
  const both = { anyOf: [{ required: ["id"] }, { required: ["a"] }], ...oneOf };
  expect(await accepts(schemas, both, [{ id: "1" }, { b: "1" }])).toEqual([true, false]);
});

test("T or a schema that says only nullable is T or null", async () => {
  const filter = { type: "object", properties: { must: TEXT }, additionalProperties: false };
  for (const branch of [{ nullable: true }, { nullable: true, description: "none" }]) {
    const schema = { anyOf: [ref("Filter"), branch] };
    const inputs = [{ must: "a" }, { musst: "a" }, null as unknown as object];
    expect(await accepts({ Filter: filter }, schema, inputs)).toEqual([true, false, true]);
  }
});

/** A document with sixty kinds of one argument, of which few have room. */
const KINDS = (() => {
  const fields = Array.from({ length: 8 }, (_, at) => [
    `field_${at}`,
    { ...TEXT, description: "A long text. ".repeat(8) },
  ]);
  const kindOf = (at: number) => ({
    ...{ type: "object", required: ["type"] },
    properties: { type: { type: "string", enum: [`k${at}`] }, ...Object.fromEntries(fields) },
  });
  const all = Array.from({ length: 60 }, (_, at) => [`Kind${at}`, kindOf(at)] as const);
  const method = { oneOf: all.map(([name]) => ref(name)) };
  const schema = { type: "object", required: ["method"], properties: { method } };
  const paths = { "/pay": { post: { operationId: "pay", ...jsonBody(schema), ...answering({ type: "object" }) } } };
  return makeDocument(paths, { components: { schemas: Object.fromEntries(all) } });
})();

test("a union whose branches have no room keeps what tells them apart, and takes each of them", async () => {
  const { tools } = await createOpenApiServer(KINDS, { mock: true });
  const schema = tools[0]?.inputSchema as JsonObject;
  const valid = new Ajv2020({ strict: false, logger: false }).compile(schema);
  for (const type of ["k0", "k3", "k59"]) expect(valid({ method: { type, field_1: "x" } }), type).toBe(true);
  expect(valid({ method: { type: "k60" } })).toBe(false);
  expect(valid({ method: { type: "k59", field_1: 1 } })).toBe(true);
});

const LONG = {
  type: "object",
  required: ["kind"],
  properties: { kind: TEXT, text: { ...TEXT, description: "x".repeat(150) } },
};

test.each<[string, object]>([
  ["not", { not: ref("Long") }],
  ["not, deeper", { not: { type: "object", required: ["a"], properties: { a: ref("Long") } } }],
  ["if", { if: ref("Long"), else: { required: ["never"] } }],
  ["maxContains", { properties: { list: { contains: ref("Long"), minContains: 0, maxContains: 0 } } }],
  ["unevaluatedProperties", { allOf: [ref("Long")], unevaluatedProperties: false }],
])("a shortened schema beneath %s refuses nothing that the whole one takes", async (_, schema) => {
  const inputs = [{ other: 1 }, { kind: "a", text: "b" }, { list: [1] }, { a: 1 }];
  const whole = await accepts({ Long: LONG }, schema, inputs, 10_000);
  const shortened = await accepts({ Long: LONG }, schema, inputs, 60);
  const refused = inputs.filter((_input, index) => whole[index] === true && shortened[index] !== true);
  expect(refused).toEqual([]);
  expect(whole).toContain(true);
});

test.each<[string, object, object[]]>([
  [
    "a pattern of another dialect",
    { not: { properties: { a: { pattern: "(?i)a" } }, required: ["a"] } },
    [{ a: "b" }, {}],
  ],
  ["a list of more than 500 values", { not: { enum: Array.from({ length: 501 }, (_, n) => ({ n })) } }, [{ n: 999 }]],
  [
    "a member that is only read",
    { not: { required: ["a"], properties: { a: { readOnly: true, type: "integer" } } } },
    [{ a: "b" }],
  ],
  ["oneOf", { not: { oneOf: [{ required: ["a"] }, { required: ["b"] }] } }, [{ a: 1, b: 1 }]],
  ["a named schema that is wider", { not: ref("Wide") }, [{ a: 1, b: 1 }]],
])("what the conversion widens refuses nothing beneath not: %s", async (_, schema, inputs) => {
  const schemas = { Wide: { oneOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: {}, b: {} } } };
  expect(await accepts(schemas, schema, inputs)).toEqual(inputs.map(() => true));
});

test("members whose pattern is left out are not refused", async () => {
  const schema = { type: "object", patternProperties: { "(?i)^x-": TEXT }, additionalProperties: false };
  expect(await accepts({}, schema, [{ "X-a": "1" }])).toEqual([true]);
});

test("what the conversion widens takes the tests away that would then refuse more", async () => {
  const wide = { pattern: "(?i)^a" };
  const contains = {
    type: "object",
    properties: { list: { type: "array", contains: wide, minContains: 0, maxContains: 0 } },
  };
  expect(await accepts({}, contains, [{ list: ["b"] }])).toEqual([true]);
  const closed = { allOf: [{ patternProperties: { "(?i)^x-": TEXT } }], unevaluatedProperties: false };
  expect(await accepts({}, closed, [{ "X-a": "1" }])).toEqual([true]);
});

test("a discriminator without a mapping refuses no value that the branch itself names", async () => {
  const kind = (value: string) => ({ type: "object", required: ["type"], properties: { type: { enum: [value] } } });
  const schema = { oneOf: [ref("KindA"), ref("KindB")], discriminator: { propertyName: "type" } };
  expect(
    await accepts({ KindA: kind("a"), KindB: kind("b") }, schema, [{ type: "a" }, { type: "b" }, { type: "KindA" }]),
  ).toEqual([...[true, true, false]]);
});
