import { expect, test } from "vitest";
import { matchPattern } from "../../openapi/mock/match-pattern.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";

/** What an operation answers whose result has this schema, and this example. */
async function mock(schema: unknown, rest: object = {}, media: object = {}): Promise<unknown> {
  const responses = { 200: { description: "ok", content: { "application/json": { schema, ...media } } } };
  const document = makeDocument({ "/thing": { get: { operationId: "thing", responses } } }, rest);
  const { client, call } = await connectApi(document, { mock: true });
  // From now on the client refuses a result that does not fit.
  await client.listTools();
  const first = (await call("thing")).structured;
  expect((await call("thing")).structured).toEqual(first);
  return first;
}

const object = (properties: object, rest: object = {}): object => ({ type: "object", properties, ...rest });

test("an example of the document comes first, then those of its schemas", async () => {
  const schema = object({
    a: { type: "string", example: "inner" },
    b: { type: "integer", default: 7 },
    c: { enum: ["x", "y"] },
  });
  expect(await mock(schema, {}, { example: { a: "outer" } })).toEqual({ a: "outer" });
  const components = { examples: { one: { value: { a: "shared" } } } };
  const examples = { one: { $ref: "#/components/examples/one" } };
  expect(await mock(schema, { components }, { examples })).toEqual({ a: "shared" });
  expect(await mock(schema)).toEqual({ a: "inner", b: 7, c: "x" });
});

test("an example that does not fit its schema is replaced by a value that does", async () => {
  const schema = object({ a: { type: "integer", example: "no" } }, { required: ["a"] });
  expect(await mock(schema, {}, { example: { a: "no" } })).toEqual({ a: 1 });
});

test("values keep to bounds, formats and patterns", async () => {
  const schema = object({
    least: { type: "integer", minimum: 10, multipleOf: 4 },
    below: { type: "number", exclusiveMaximum: 0 },
    long: { type: "string", minLength: 9 },
    short: { type: "string", maxLength: 2 },
    when: { type: "string", format: "date-time" },
    list: { type: "array", minItems: 2, items: { type: "boolean" } },
    code: { type: "string", pattern: "^(?:AC|IS)[0-9a-fA-F]{4}-[^-]\\d?x+$" },
    nothing: { type: "null" },
    any: {},
  });
  expect(await mock(schema)).toEqual({
    ...{ least: 12, below: -0.5, long: "texttextt", short: "te", when: "2024-01-01T00:00:00Z", list: [true, true] },
    ...{ code: "AC0000-ax", nothing: null, any: {} },
  });
});

test("a pattern that the shortest text does not fit has no text", () => {
  expect(matchPattern("^(?:AC|IS)[0-9a-f]{4}$")).toBe("AC0000");
  expect(matchPattern("^(?=b)\\w$")).toBeUndefined();
  expect(matchPattern("^[a-c]+$", 3)).toBe("aaaa");
  expect(matchPattern("(")).toBeUndefined();
  expect(matchPattern("^(?:(?:x{1000}){1000}){1000}$")).toBeUndefined();
});

test("a pattern that takes years to try is left out, with all after it", async () => {
  const slow = "^(?:a|\\w){60}(?=b)";
  const budget = {};
  expect([matchPattern("^\\d{3}$", 0, budget), matchPattern(slow, 0, budget)]).toEqual(["000", undefined]);
  expect(matchPattern("^\\d{3}$", 0, budget)).toBeUndefined();
  const text = { type: "string", pattern: slow };
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, text]));
  const example = { first: "000", p0: "a".repeat(60) };
  const schema = object({ first: { type: "string", pattern: "^\\d{3}$" }, ...many }, { example });
  const document = makeDocument({ "/thing": { get: { operationId: "thing", ...answering(schema) } } });
  const { call } = await connectApi(document, { mock: true });
  // The check of the example takes too long as well, and refuses nothing then.
  expect((await call("thing")).structured).toEqual(example);
});

test("compositions are joined, and the branch of a discriminator has its value", async () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const components = {
    schemas: {
      Base: object({ id: { type: "integer" } }),
      Dog: object({ kind: { type: "string" } }),
      Name: { type: "string" },
    },
  };
  expect(
    await mock(
      { allOf: [ref("Base"), object({ name: { allOf: [ref("Name"), { description: "x" }] } })] },
      { components },
    ),
  ).toEqual({ id: 1, name: "text" });
  const discriminator = { propertyName: "kind", mapping: { dog: "#/components/schemas/Dog" } };
  expect(await mock({ oneOf: [ref("Dog"), ref("Base")], discriminator }, { components })).toEqual({ kind: "dog" });
});

test("write-only members are not in an answer, and an operation without an answer has none", async () => {
  expect(await mock(object({ a: { type: "string", writeOnly: true }, b: { type: "string" } }))).toEqual({ b: "text" });
  const { call } = await connectApi(makeDocument({ "/thing": { get: { operationId: "thing" } } }), { mock: true });
  expect(await call("thing")).toMatchObject({ content: [], isError: false, http: { status: 204 } });
  const failing = makeDocument({
    "/thing": {
      get: {
        operationId: "thing",
        parameters: [{ in: "query", name: "a", required: true, schema: {} }],
        ...answering({}),
      },
    },
  });
  const { call: callFailing } = await connectApi(failing, { mock: true });
  expect((await callFailing("thing")).text).toBe("thing needs the argument a\nhint: Give it a value.");
});
