import { expect, test } from "vitest";
import { connectApi } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";
import { swagger } from "./swagger-document.ts";

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** How a list of the texts `a b` and `c` is sent, for each place and `collectionFormat`. */
const LISTS: [place: string, format: string | undefined, sent: string][] = [
  ["query", undefined, "l=a%20b,c"],
  ["query", "csv", "l=a%20b,c"],
  ["query", "ssv", "l=a%20b%20c"],
  ["query", "tsv", "l=a%20b%09c"],
  ["query", "pipes", "l=a%20b%7Cc"],
  ["query", "multi", "l=a%20b&l=c"],
  ["path", undefined, "a%20b,c"],
  ["path", "csv", "a%20b,c"],
  ["path", "ssv", "a%20b%20c"],
  ["path", "tsv", "a%20b%09c"],
  ["path", "pipes", "a%20b%7Cc"],
  ["header", undefined, "a b,c"],
  ["header", "csv", "a b,c"],
  ["header", "ssv", "a b c"],
  ["header", "tsv", "a b\tc"],
  ["header", "pipes", "a b|c"],
  ["formData", undefined, "l=a%20b,c"],
  ["formData", "csv", "l=a%20b,c"],
  ["formData", "ssv", "l=a%20b%20c"],
  ["formData", "tsv", "l=a%20b%09c"],
  ["formData", "pipes", "l=a%20b%7Cc"],
  ["formData", "multi", "l=a%20b&l=c"],
];

/** Sends one call of the one operation of a document, and gives what has come. */
async function send(
  operation: object,
  input: object,
  path = "/a",
): Promise<{ url: string; headers: Record<string, unknown>; body: string }> {
  const bodies: string[] = [];
  const { origin, seen } = await startScriptedApi((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      bodies.push(Buffer.concat(parts).toString());
      response.end();
    });
  });
  const document = { ...swagger({}), paths: { [path]: { post: { operationId: "a", ...operation } } } };
  const { call } = await connectApi(document, { baseUrl: origin });
  const { isError, text } = await call("a", input);
  expect(isError, text).toBe(false);
  return { url: seen[0]?.url ?? "", headers: seen[0]?.headers ?? {}, body: bodies[0] ?? "" };
}

test.each(LISTS)("a list in a %s with collectionFormat %s is sent as %s", async (place, collectionFormat, sent) => {
  const parameter = {
    in: place,
    name: "l",
    required: true,
    type: "array",
    items: { type: "string" },
    collectionFormat,
  };
  const path = place === "path" ? "/a/{l}" : "/a";
  const { url, headers, body } = await send({ consumes: [FORM], parameters: [parameter] }, { l: ["a b", "c"] }, path);
  const [, query] = url.split("?");
  const found = { query, path: url.slice("/a/".length), header: headers["l"], formData: body };
  expect(found).toMatchObject({ [place]: sent });
});

test("a list within a list has a format of its own", async () => {
  const items = { type: "array", items: { type: "integer" }, collectionFormat: "pipes" };
  const parameter = { in: "query", name: "l", type: "array", items };
  expect((await send({ parameters: [parameter] }, { l: [[1, 2], [3]] })).url).toBe("/a?l=1%7C2,3");
  const field = { in: "formData", name: "l", type: "array", items, collectionFormat: "ssv" };
  expect((await send({ parameters: [field] }, { l: [[1, 2], [3]] })).body).toBe("l=1%7C2%203");
});

test("a list in parts of a form is one part, or a part for each item with multi", async () => {
  const field = (name: string, collectionFormat?: string) => ({
    in: "formData",
    name,
    type: "array",
    items: { type: "string" },
    collectionFormat,
  });
  const operation = { consumes: [MULTIPART], parameters: [field("c"), field("p", "pipes"), field("m", "multi")] };
  const { body, headers } = await send(operation, { c: ["1", "2"], p: ["1", "2"], m: ["1", "2"] });
  const form = await new Response(body, { headers: { "content-type": String(headers["content-type"]) } }).formData();
  expect([...form.entries()]).toEqual([
    ["c", "1,2"],
    ["p", "1|2"],
    ["m", "1"],
    ["m", "2"],
  ]);
});
