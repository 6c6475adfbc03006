import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { ANY_CHARACTER } from "../any-character.ts";
import { connectApi, makeDocument } from "./connect-api.ts";
import { type Echo, startEchoApi } from "./echo-api.ts";

let baseUrl: string;
beforeAll(async () => {
  baseUrl = await startEchoApi();
});

const TEXT = { type: "string" };
const RESPONSES = { 200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } } };

/** An operation of the echo API, called with arguments. */
async function echo(path: string, operation: object, input: object, method = "post"): Promise<Echo> {
  const document = makeDocument({ [path]: { [method]: { operationId: "echo", responses: RESPONSES, ...operation } } });
  const { call } = await connectApi(document, { baseUrl });
  const result = await call("echo", input);
  expect(result.isError, result.text).toBe(false);
  return result.structured as Echo;
}

const body = (mediaType: string, schema: object, rest: object = {}): object => ({
  requestBody: { required: true, content: { [mediaType]: { schema, ...rest } } },
});
const object = (properties: object, required: string[] = []): object => ({ type: "object", properties, required });

test("any text arrives as it was given, in the path, the query, a header, a cookie, JSON and forms", async () => {
  const at = (place: string, name: string): object => ({ in: place, name, required: true, schema: TEXT });
  const parameters = [at("path", "a"), at("path", "b"), at("query", "q"), at("header", "x-h"), at("cookie", "c")];
  const json = { parameters, ...body("application/json", object({ j: TEXT }, ["j"])) };
  const form = {
    operationId: "form",
    responses: RESPONSES,
    ...body("application/x-www-form-urlencoded", object({ f: TEXT })),
  };
  const document = makeDocument({
    "/echo/{a}/parts/{b}": { post: { operationId: "json", responses: RESPONSES, ...json } },
    "/echo": { post: form },
  });
  const { call } = await connectApi(document, { baseUrl });
  const anyText = fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 40 });
  const pathText = anyText.filter((text) => !/^\.{1,2}$/.test(text));
  const headerText = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  await fc.assert(
    fc.asyncProperty(pathText, pathText, anyText, headerText, anyText, anyText, async (a, b, q, h, c, j) => {
      const first = (await call("json", { a, b, q, "x-h": h, c, j })).structured as Echo;
      expect(first).toMatchObject({ params: { a, b }, query: { q }, body: { j } });
      expect(first.headers["x-h"]).toBe(h);
      expect(decodeURIComponent(first.headers.cookie?.replace(/^c=/, "") ?? "")).toBe(c);
      expect(((await call("form", { f: j })).structured as Echo).body).toEqual({ f: j });
    }),
    { numRuns: 25 },
  );
});

test("a query that is a part of the path is sent, and its parameters once", async () => {
  const parameters = [{ in: "query", name: "size", schema: TEXT }];
  const seen = await echo("/echo?kind=all&size={size}", { parameters }, { size: "9" });
  expect(seen.query).toEqual({ kind: "all", size: "9" });
});

test("lists and objects of a query arrive, and the body takes a name that a parameter has", async () => {
  const parameters = [
    { in: "query", name: "ids", schema: { type: "array", items: { type: "integer" } } },
    { in: "query", name: "filter", style: "deepObject", explode: true, schema: { type: "object" } },
    { in: "query", name: "page[size]", schema: { type: "integer" } },
    { in: "query", name: "none", schema: TEXT },
  ];
  const schema = object({ ids: TEXT });
  const input = {
    ids: [1, 2],
    filter: { name: "a b", tags: ["x", "y"] },
    page_size_: 5,
    none: null,
    body: { ids: "z" },
  };
  const seen = await echo("/echo", { parameters, ...body("application/json", schema) }, input);
  expect(seen.query).toEqual({ ids: ["1", "2"], filter: { name: "a b", tags: ["x", "y"] }, page: { size: "5" } });
  expect(seen.body).toEqual({ ids: "z" });
});

test("forms and multipart bodies with files arrive", async () => {
  const form = body(
    "application/x-www-form-urlencoded",
    object({ tags: { type: "array", items: TEXT }, at: { type: "object" } }),
    {
      encoding: { at: { style: "deepObject", explode: true } },
    },
  );
  const first = await echo("/echo", form, { tags: ["a", "b"], at: { x: 1 } });
  expect(first.body).toEqual({ tags: ["a", "b"], at: { x: "1" } });

  const binary = { type: "string", format: "binary" };
  const multipart = body(
    "multipart/form-data",
    object({ title: TEXT, photo: binary, all: { type: "array", items: binary } }),
  );
  const file = {
    base64: Buffer.from([0, 255, 13, 10]).toString("base64"),
    filename: 'a"\r\n.png',
    mediaType: "image/png",
  };
  const second = await echo("/echo", multipart, {
    title: "two\r\nlines",
    photo: file,
    all: [{ base64: "YQ==" }, { base64: "Yg==" }],
  });
  expect(second.body).toEqual([
    ["title", "two\r\nlines"],
    ["photo", { name: 'a"\r\n.png', type: "image/png", base64: file.base64 }],
    ["all", { name: "file", type: "application/octet-stream", base64: "YQ==" }],
    ["all", { name: "file", type: "application/octet-stream", base64: "Yg==" }],
  ]);
});

test("text, bytes and JSON of any kind are bodies", async () => {
  expect((await echo("/echo", body("text/plain", TEXT), { body: "grüße" })).body).toBe("grüße");
  const bytes = await echo("/echo", body("application/octet-stream", TEXT), { body: { base64: "AP8=" } });
  expect(bytes.body).toBe("AP8=");
  const image = await echo("/echo", body("image/*", TEXT), { body: { base64: "AP8=", mediaType: "image/png" } });
  expect(image.headers["content-type"]).toBe("image/png");
  expect((await echo("/echo", body("application/json", { type: "array" }), { body: [1, null] })).body).toEqual([
    1,
    null,
  ]);
  const patch = await echo(
    "/echo",
    body("application/merge-patch+json", object({ name: { type: ["string", "null"] } })),
    { name: null },
  );
  expect(patch.headers["content-type"]).toBe("application/merge-patch+json");
  // A body that may be missing is not sent where no field is given.
  const optional = { requestBody: { content: { "application/json": { schema: object({ a: TEXT }) } } } };
  expect((await echo("/echo", optional, {})).headers["content-length"]).toBe("0");
});
