import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";

const TEXT = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kindOf = (base: string, properties: object, required: string[] = []) => ({
  allOf: [ref(base), { type: "object", properties, required }],
});

/** A base that others extend, as Java and .NET generators write it. */
const base = (kind: object = TEXT, rest: object = {}) => ({
  ...{ type: "object", required: ["label", "kind"], properties: { label: TEXT, kind } },
  discriminator: { propertyName: "kind", mapping: { web: "#/components/schemas/WebApp", mark: "Bookmark" } },
  ...rest,
});
const APPS = {
  WebApp: kindOf("App", { url: TEXT, next: ref("App") }, ["url"]),
  Bookmark: kindOf("App", { settings: { type: "object", properties: { at: TEXT } } }),
};

async function tool(App: object, schemas: object = {}, options: object = { mock: true }) {
  const requestBody = { required: true, content: { "application/json": { schema: ref("App") } } };
  const paths = { "/apps": { post: { operationId: "createApp", requestBody, ...answering(ref("App")) } } };
  const document = makeDocument(paths, { components: { schemas: { App, ...APPS, ...schemas } } });
  const { tools } = await createOpenApiServer(document, options);
  const ajv = new Ajv2020({ strict: false, logger: false });
  const [{ inputSchema, outputSchema } = { inputSchema: {}, outputSchema: {} }] = tools;
  const [input, output] = [ajv.compile(inputSchema), ajv.compile((outputSchema ?? {}) as object)];
  return { document, takes: (body: object) => input({ body }), gives: (body: object) => output(body), inputSchema };
}

test("a base stands for its kinds, with their fields, in arguments and answers", async () => {
  const { takes, gives } = await tool(base());
  for (const fits of [takes, gives]) {
    expect(fits({ label: "a", kind: "web", url: "u" })).toBe(true);
    expect(fits({ label: "a", kind: "mark", settings: { at: "x" } })).toBe(true);
    // The document does not say that there are no others.
    expect(fits({ label: "a", kind: "other", anything: 1 })).toBe(true);
    expect(fits({ label: "a", kind: "web" })).toBe(false);
    expect(fits({ label: "a", kind: "mark", settings: { at: 1 } })).toBe(false);
    expect(fits({ kind: "mark" })).toBe(false);
    expect(fits({ label: "a", kind: "web", url: "u", next: { label: "b", kind: "web" } })).toBe(false);
  }
});

test("where the kinds are all that there are, another one is refused", async () => {
  const { takes } = await tool(base({ enum: ["web", "mark"] }));
  expect([takes({ label: "a", kind: "web", url: "u" }), takes({ label: "a", kind: "other" })]).toEqual([true, false]);
  const { takes: takesMore } = await tool(base({ enum: ["web", "mark", "other"] }));
  expect([takesMore({ label: "a", kind: "other" }), takesMore({ label: "a", kind: "web" })]).toEqual([true, false]);
});

test("a mapping that leads to nothing, or to the base itself, takes no kind away", async () => {
  const lost = { propertyName: "kind", mapping: { web: "WebApp", lost: "Nowhere", plain: "#/components/schemas/App" } };
  const { takes } = await tool(base(TEXT, { discriminator: lost }));
  const kinds = ["lost", "plain", "mark"].map((kind) => takes({ label: "a", kind, more: 1 }));
  expect(kinds).toEqual([true, true, true]);
  expect(takes({ label: "a", kind: "web", url: "u" })).toBe(true);
});

test("without a mapping the schemas that extend a base are its kinds, with any value", async () => {
  const { takes } = await tool(base(TEXT, { discriminator: { propertyName: "kind" } }));
  expect(takes({ label: "a", kind: "any", url: "u" })).toBe(true);
  expect(takes({ label: "a", kind: "any" })).toBe(true);
  expect(takes({ label: "a" })).toBe(false);
});

test("allOf around a reference that only describes it means the base with its kinds", async () => {
  const Holder = { type: "object", properties: { app: { allOf: [ref("App")], description: "Which." } } };
  const requestBody = { required: true, content: { "application/json": { schema: ref("Holder") } } };
  const paths = { "/apps": { post: { operationId: "hold", requestBody, ...answering({}) } } };
  const components = { schemas: { App: base(), ...APPS, Holder } };
  const { tools } = await createOpenApiServer(makeDocument(paths, { components }), { mock: true });
  const takes = new Ajv2020({ strict: false, logger: false }).compile(tools[0]?.inputSchema ?? {});
  expect([takes({ app: { label: "a", kind: "web", url: "u" } }), takes({ app: { label: "a", kind: "web" } })]).toEqual([
    ...[true, false],
  ]);
});

test("a kind as a body has its own fields and those of its base side by side", async () => {
  const requestBody = { required: true, content: { "application/json": { schema: ref("WebApp") } } };
  const paths = { "/apps": { post: { operationId: "web", requestBody, ...answering({}) } } };
  const components = { schemas: { App: base(), ...APPS } };
  const { tools } = await createOpenApiServer(makeDocument(paths, { components }), { mock: true });
  expect(Object.keys(tools[0]?.inputSchema.properties ?? {}).toSorted()).toEqual(["kind", "label", "next", "url"]);
  expect(tools[0]?.inputSchema.required?.toSorted()).toEqual(["kind", "label", "url"]);
});

test("the discriminator of Swagger 2.0 is the name of its property", async () => {
  const definitions = {
    App: { type: "object", discriminator: "kind", required: ["kind"], properties: { kind: TEXT } },
    WebApp: { allOf: [{ $ref: "#/definitions/App" }, { type: "object", properties: { url: TEXT } }] },
  };
  const parameters = [{ in: "body", name: "app", required: true, schema: { $ref: "#/definitions/App" } }];
  const document = {
    swagger: "2.0",
    info: { title: "T", version: "1" },
    definitions,
    paths: { "/a": { post: { operationId: "a", parameters } } },
  };
  const { tools } = await createOpenApiServer(document, { mock: true });
  const takes = new Ajv2020({ strict: false, logger: false }).compile(tools[0]?.inputSchema ?? {});
  expect([takes({ body: { kind: "WebApp", url: "u" } }), takes({ body: { url: "u" } })]).toEqual([true, false]);
});

test("a mocked answer is one of the kinds, and integers of 64 bits in a kind stay whole", async () => {
  const big = {
    allOf: [
      ref("App"),
      { type: "object", required: ["id"], properties: { id: { type: "integer", format: "int64", example: 7 } } },
    ],
  };
  const { document } = await tool(
    base({ enum: ["web"] }, { discriminator: { propertyName: "kind", mapping: { web: "WebApp" } } }),
    { WebApp: big },
  );
  const { client, call } = await connectApi(document, { mock: true, int64: "string" });
  await client.listTools();
  expect((await call("createApp", { body: { label: "a", kind: "web", id: "9007199254740993" } })).structured).toEqual({
    ...{ label: "text", kind: "web", id: "7" },
  });
});
