import { expect, test } from "vitest";
import { connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const SECURITY = {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
};
const env = { OPENAPI_KEY: "the-token" };
const parameters = [{ in: "header", name: "X-Note", schema: { type: "string" } }];

/** An API whose files are in a store at another origin. */
async function open(
  options: object = {},
  document: object = { 302: { description: "elsewhere" } },
  method = "get",
  path = "/file",
) {
  const store = await startScriptedApi(({ url }, response) => {
    if (url?.startsWith("/again")) response.writeHead(302, { location: `${api.origin}/private` }).end();
    else if (url?.startsWith("/loop")) response.writeHead(302, { location: url }).end();
    else response.writeHead(200, { "content-type": "application/pdf" }).end("the bytes");
  });
  const api = await startScriptedApi((_, response) => {
    response.writeHead(302, { location: `${store.origin}${path}?signature=abc` }).end();
  });
  const operation = {
    operationId: "read",
    parameters,
    responses: { 200: { description: "ok", content: { "application/pdf": {} } }, ...document },
  };
  const { call } = await connectApi(makeDocument({ "/files/1": { [method]: operation } }, SECURITY), {
    ...{ baseUrl: api.origin, env },
    ...(typeof options === "function" ? (options as (origin: string) => object)(store.origin) : options),
  });
  return { read: () => call("read", { "X-Note": "mine" }), store, api };
}

const trusting =
  (more: object = {}) =>
  (origin: string) => ({ trustOrigins: [origin], ...more });

test("a download that the document sends to another host is read there, without a login or a header of ours", async () => {
  const { read, store, api } = await open(trusting());
  const { isError, content } = await read();
  expect(isError).toBe(false);
  expect(content).toEqual([
    {
      type: "resource",
      resource: {
        uri: `${store.origin}/file`,
        mimeType: "application/pdf",
        blob: Buffer.from("the bytes").toString("base64"),
      },
    },
  ]);
  expect(api.seen[0]?.headers).toMatchObject({ authorization: "Bearer the-token", "x-note": "mine" });
  expect(store.seen).toMatchObject([{ method: "GET", url: "/file?signature=abc" }]);
  expect(Object.keys(store.seen[0]?.headers ?? {}).toSorted()).toEqual([
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
});

test("without a word of the document it is an option that follows, and without both the address is in the error", async () => {
  const { read, store } = await open(trusting(), {});
  const { isError, text } = await read();
  expect(isError).toBe(true);
  expect(text).toContain(`GET /files/1 answered 302 Found, and leads to ${store.origin}/file?signature=abc\n`);
  expect(text).toContain("With --follow-redirects a GET is read there");
  expect(store.seen).toEqual([]);
  const followed = await open(trusting({ followRedirects: true }), {});
  expect((await followed.read()).isError).toBe(false);
});

test("an address that is not public is not read by the word of the API", async () => {
  const { read, store } = await open({ followRedirects: true });
  const { isError, text } = await read();
  expect(isError).toBe(true);
  expect(text).toContain(`leads to ${store.origin}/file?signature=abc`);
  expect(store.seen).toEqual([]);
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:127.0.0.1]:1/",
  "http://0x7f000001:1/",
  "http://localhost:1/",
  "http://user:secret@127.0.0.1:1/",
  "file:///etc/passwd",
])("a redirect to %s is an answer that leads nowhere", async (location) => {
  const { origin } = await startScriptedApi((_, response) => void response.writeHead(302, { location }).end());
  const paths = { "/a": { get: { operationId: "a", responses: { "3XX": { description: "elsewhere" } } } } };
  const { call } = await connectApi(makeDocument(paths), { baseUrl: origin, followRedirects: true });
  const { isError, text } = await call("a");
  expect(isError).toBe(true);
  expect(text).toContain("answered 302 Found");
});

test("a second redirect is judged like the first, and a circle ends", async () => {
  const again = await open(trusting(), undefined, "get", "/again");
  // The API itself has the address that a person gave: it is asked once more, without the login.
  await again.read();
  expect(again.api.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer the-token",
    undefined,
    undefined,
  ]);
  const loop = await open(trusting(), undefined, "get", "/loop");
  expect((await loop.read()).text).toContain("answered 302");
  expect(loop.store.seen.length).toBeLessThan(8);
});

test("what does more than read is followed nowhere", async () => {
  for (const method of ["post", "put", "delete"]) {
    const { read, store } = await open(trusting({ followRedirects: true }), undefined, method);
    expect((await read()).isError).toBe(true);
    expect(store.seen).toEqual([]);
  }
});
