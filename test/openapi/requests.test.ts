import { expect, test } from "vitest";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

/** An API that answers each request with its body, and a client of it. */
async function connect(paths: object, rest: object = {}, options: object = {}) {
  const { origin, seen } = await startScriptedApi((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const sent = Buffer.concat(parts).toString();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ sent }));
    });
  });
  const { call } = await connectApi(makeDocument(paths, rest), { baseUrl: `${origin}/v1/`, ...options });
  const sentOf = async (name: string, input: object): Promise<unknown> =>
    ((await call(name, input)).structured as { sent?: string; body?: { sent: string } } | undefined)?.body?.sent;
  return { call, seen, sentOf };
}

const content = (...types: string[]) => ({
  200: { description: "ok", content: Object.fromEntries(types.map((type) => [type, {}])) },
});

test.each([
  [["application/json"], "application/json, */*;q=0.1"],
  [["text/csv", "application/vnd.api+json"], "application/vnd.api+json, text/csv;q=0.8, */*;q=0.1"],
  [["text/csv", "image/png"], "text/csv, image/png, */*;q=0.1"],
  [["a/\nb", "ab", `a/${"b".repeat(99)}`, "a/b\u00e4", "a/b"], "a/b, */*;q=0.1"],
  [[`a/${"b".repeat(98)}`], `a/${"b".repeat(98)}, */*;q=0.1`],
  [[], "*/*;q=0.1"],
])("of the types %j the request accepts %s", async (types, accept) => {
  const { call, seen } = await connect({ "/a": { get: { operationId: "a", responses: content(...types) } } });
  await call("a");
  expect(seen[0]?.headers).toMatchObject({ accept, "user-agent": "codemode-openapi" });
});

test("at most twenty types are named", async () => {
  const types = Array.from({ length: 25 }, (_, at) => `a/b${at}`);
  const { call, seen } = await connect({ "/a": { get: { operationId: "a", responses: content(...types) } } });
  await call("a");
  expect(seen[0]?.headers.accept?.split(", ")).toHaveLength(21);
});

const PARAMETERS = [
  { in: "query", name: "q", schema: {} },
  { in: "header", name: "X-Mode", schema: {} },
  { in: "cookie", name: "c", schema: {} },
];

test("arguments stand where the document says, and null is none", async () => {
  const { call, seen } = await connect({
    "/a": { get: { operationId: "a", parameters: PARAMETERS, ...answering({}) } },
  });
  await call("a", { q: "x y", "X-Mode": "fast", c: "1" });
  await call("a", { q: null });
  await call("a", {});
  expect(seen.map(({ url }) => url)).toEqual(["/v1/a?q=x%20y", "/v1/a", "/v1/a"]);
  expect(seen.map(({ headers }) => [headers["x-mode"], headers.cookie])).toEqual([
    ["fast", "c=1"],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(seen[0]?.headers["content-type"]).toBeUndefined();
});

test("an argument that is unknown, missing or no file is said before anything is sent", async () => {
  const required = [{ in: "query", name: "q", required: true, schema: {} }];
  const many = Array.from({ length: 31 }, (_, at) => ({ in: "query", name: `p${at}`, schema: {} }));
  const { call, seen } = await connect({
    "/none": { get: { operationId: "none", ...answering({}) } },
    "/a": { get: { operationId: "a", parameters: required, ...answering({}) } },
    "/many": { get: { operationId: "many", parameters: many, ...answering({}) } },
    "/file": { post: { operationId: "file", ...body("application/octet-stream", { type: "string" }) } },
  });
  expect((await call("file", { body: "text" })).text).toContain("an object with the bytes of a file in base64");
  expect((await call("none", { x: 1 })).text).toMatch(/none has no argument x[^]*It takes none\./);
  expect((await call("a", { q: 1, x: 1 })).text).toMatch(/a has no argument x[^]*It takes q\./);
  expect((await call("many", { x: 1 })).text).toMatch(/It takes p0, .*p29\./);
  for (const input of [{}, { q: null }])
    expect((await call("a", input)).text).toMatch(/a needs the argument q[^]*Give it a value\./);
  expect(seen).toEqual([]);
});

test("the path has the values of its parameters, encoded, and its own signs as they are", async () => {
  const at = (name: string) => ({ in: "path", name, required: true, schema: {} });
  const { call, seen } = await connect({
    "/ä%20b/{id}/x{y}z/{long-name}?fixed=1&left={id}#part": {
      get: { operationId: "a", parameters: [at("id"), at("y"), at("long-name")], ...answering({}) },
    },
  });
  expect((await call("a", { id: "a/b", y: 7, "long-name": "ö" })).text).not.toContain("lead out");
  const input = Object.fromEntries(["id", "y"].map((name) => [name, "1"]));
  expect((await call("a", { ...input, "long-name": "" })).text).toMatch(/is a part of the path and cannot be empty/);
  expect(seen.map(({ url }) => url)).toEqual(["/v1/%C3%A4%20b/a%2Fb/x7z/%C3%B6?fixed=1"]);
});

const schema = { type: "object", properties: { a: {}, b: {} } };
const body = (mediaType: string, of: object, required = false) => ({
  requestBody: { required, content: { [mediaType]: { schema: of } } },
});

test("a body has the arguments that are given, and null where JSON can say it", async () => {
  const { sentOf, seen } = await connect({
    "/json": { post: { operationId: "json", ...body("application/json", schema), ...answering({}) } },
    "/form": { post: { operationId: "form", ...body("application/x-www-form-urlencoded", schema), ...answering({}) } },
    "/must": { post: { operationId: "must", ...body("application/json", schema, true), ...answering({}) } },
    "/list": { post: { operationId: "list", ...body("application/json", { type: "array" }), ...answering({}) } },
    "/listMust": {
      post: { operationId: "listMust", ...body("application/json", { type: "array" }, true), ...answering({}) },
    },
  });
  expect(await sentOf("json", { a: 1, b: null })).toBe('{"a":1,"b":null}');
  expect(await sentOf("json", {})).toBe("");
  expect(seen.map(({ headers }) => headers["content-type"])).toEqual(["application/json", undefined]);
  expect(await sentOf("form", { a: "x y", b: null })).toBe("a=x%20y");
  expect(await sentOf("must", {})).toBe("{}");
  expect(await sentOf("list", { body: [1] })).toBe("[1]");
  expect(await sentOf("list", {})).toBe("");
  expect(await sentOf("listMust", {})).toBeUndefined();
});

const securitySchemes = {
  key: { type: "apiKey", in: "query", name: "api_key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
  head: { type: "apiKey", in: "header", name: "X-Key" },
};
const LOGIN = { components: { securitySchemes }, security: [{ key: [], cookie: [], head: [] }] };
const env = { OPENAPI_KEY: "key one", OPENAPI_COOKIE: "sid one", OPENAPI_HEAD: "head-one" };
const object = (place: string, name: string) => ({ in: place, name, style: "form", explode: true, schema: {} });

test("a login stands beside the arguments, and none of them takes its name", async () => {
  const parameters = [object("query", "filter"), object("cookie", "more"), { in: "query", name: "sort", schema: {} }];
  const { call, seen } = await connect(
    { "/a?mode=read": { get: { operationId: "a", parameters, ...answering({}) } } },
    LOGIN,
    { env },
  );
  await call("a", { filter: { x: 1 }, more: { y: 2 }, sort: "up" });
  expect(seen[0]?.url).toBe("/v1/a?mode=read&x=1&sort=up&api_key=key%20one");
  expect(seen[0]?.headers).toMatchObject({ cookie: "sid=sid%20one; y=2", "x-key": "head-one" });
  for (const name of ["api_key", "API_KEY", "api-key", " api.key ", "api_key[]", "mode", "Mode[x]"])
    expect((await call("a", { filter: { [name]: 1 } })).text, name).toContain("the name of another part of the query");
  expect((await call("a", { more: { SID: 1 } })).text).toContain("the name of another part of the cookie");
  // A member of another kind, and an argument of the same name in another place, are none of them.
  for (const input of [
    { filter: { sid: 1 } },
    { more: { api_key: 1 } },
    { filter: { "api%5Fkey": 1 } },
    { filter: {} },
  ])
    expect((await call("a", input)).isError, JSON.stringify(input)).toBe(false);
});
