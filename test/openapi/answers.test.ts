import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { OpenApiServerOptions } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Calls one operation of an API that gives one answer. */
async function callOnce(
  answer: { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer },
  operation: object = answering({}),
  options: OpenApiServerOptions = {},
) {
  const { origin } = await startScriptedApi((_, response) =>
    response.writeHead(answer.status ?? 200, answer.headers ?? JSON_TYPE).end(answer.body ?? ""),
  );
  const document = makeDocument({ "/thing": { get: { operationId: "thing", ...operation } } });
  const { call } = await connectApi(document, { baseUrl: origin, ...options });
  return call("thing");
}

test("an object is the result itself, anything else is its member body", async () => {
  const object = { type: "object", properties: { a: { type: "integer" } } };
  expect(await callOnce({ body: '{"a":1}' }, answering(object))).toMatchObject({
    structured: { a: 1 },
    text: '{"a":1}',
  });
  expect((await callOnce({ body: "[1,2]" }, answering({ type: "array" }))).structured).toEqual({ body: [1, 2] });
  expect((await callOnce({ body: "null" }, answering({ type: ["object", "null"] }))).structured).toEqual({
    body: null,
  });
  // What the document does not announce is still an object.
  expect((await callOnce({ body: "[1]" }, { responses: {} })).structured).toEqual({ body: [1] });
});

test("nothing, text, images and files are results too", async () => {
  const nothing = await callOnce({ status: 204, headers: {} }, { responses: { 204: { description: "done" } } });
  expect(nothing).toMatchObject({ content: [], structured: undefined, isError: false, http: { status: 204 } });
  const mixed = {
    responses: { ...(answering({ type: "object" }) as { responses: object }).responses, 204: { description: "none" } },
  };
  expect((await callOnce({ status: 204, headers: {} }, mixed)).structured).toEqual({});
  const text = { responses: { 200: { description: "ok", content: { "text/csv": { schema: { type: "string" } } } } } };
  const csv = await callOnce(
    { headers: { "content-type": "text/csv; charset=latin1" }, body: Buffer.from([0xe4]) },
    text,
  );
  expect(csv).toMatchObject({ structured: { body: "ä" }, text: "ä" });
  const png = await callOnce(
    { headers: { "content-type": "image/png" }, body: Buffer.from([1, 2]) },
    { responses: {} },
  );
  expect(png.content).toEqual([{ type: "image", data: "AQI=", mimeType: "image/png" }]);
  const zip = await callOnce(
    { headers: { "content-type": "application/zip" }, body: Buffer.from([1, 2]) },
    { responses: {} },
  );
  expect(zip.content).toMatchObject([{ type: "resource", resource: { mimeType: "application/zip", blob: "AQI=" } }]);
});

const TYPES = ["text/plain", "text/javascript", "application/x-json", "application/octet-stream", "text/html", ""];
const OBJECT = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
const promising = (mediaType: string, schema: object): object => ({
  responses: { 200: { description: "ok", content: { [mediaType]: { schema } } } },
});
const of = (type: string): Record<string, string> => (type === "" ? {} : { "content-type": type });

test.each(["application/json", "*/*", "application/vnd.api+json"])(
  "JSON is JSON under any type, where %s is promised",
  async (promise) => {
    for (const type of TYPES) {
      const object = await callOnce({ headers: of(type), body: '{"id":7}' }, promising(promise, OBJECT));
      expect([type, object.structured]).toEqual([type, { id: 7 }]);
      const list = await callOnce({ headers: of(type), body: "[1]" }, promising(promise, { type: "array", items: {} }));
      expect([type, list.structured]).toEqual([type, { body: [1] }]);
    }
  },
);

test.each([
  [
    "text/html",
    "<html>Log in</html>",
    "answered 200 with text/html, and the body is no JSON\n<html>Log in</html>\nhint: ",
  ],
  ["text/plain", "not yet", "with text/plain, and the body is no JSON\nnot yet\n"],
  ["application/json", '{"v":NaN}', 'with application/json, and the body is no JSON\n{"v":NaN}\n'],
  ["application/problem+json; charset=utf-8", "{", "with application/problem+json, and the body is no JSON\n{\n"],
  ["image/png", "\u0001\u0002", "with image/png, and the body is no JSON\n(2 bytes of image/png)\n"],
  ["", "x".repeat(5_000), `with no content type, and the body is no JSON\n${"x".repeat(500)}…\n`],
])(
  "a success of %s that is no JSON, where JSON is promised, is an error with its first lines",
  async (type, body, text) => {
    for (const schema of [OBJECT, { type: "array", items: OBJECT }, {}])
      for (const promise of ["application/json", ...(type === "text/plain" || type === "" ? [] : ["*/*"])]) {
        const result = await callOnce({ headers: of(type), body }, promising(promise, schema));
        expect(result).toMatchObject({ isError: true, structured: undefined });
        expect(result.text).toContain(text);
      }
  },
);

test("only an empty body is an empty result", async () => {
  for (const body of ["", " \n"])
    expect(await callOnce({ body }, answering(OBJECT))).toMatchObject({ structured: {}, isError: false });
  const invalid = await callOnce({ body: "{" }, { responses: {} });
  expect(invalid).toMatchObject({ isError: true, structured: undefined });
});

test("a text without quotes is a text where the document has one, and other types of a document are what they are", async () => {
  const text = { type: "string" };
  for (const [promise, type] of [
    ["*/*", "text/plain"],
    ["*/*", "text/html"],
    ["application/json", "text/plain"],
  ] as const) {
    expect((await callOnce({ headers: of(type), body: "007" }, promising(promise, text))).structured).toEqual({
      body: "007",
    });
    expect((await callOnce({ headers: of(type), body: '"a"' }, promising(promise, text))).structured).toEqual({
      body: "a",
    });
  }
  const both = {
    responses: {
      200: { description: "ok", content: { "application/json": { schema: OBJECT }, "text/csv": {}, "image/png": {} } },
    },
  };
  expect((await callOnce({ headers: of("text/csv"), body: "1,2" }, both)).structured).toEqual({ body: "1,2" });
  const png = await callOnce({ headers: of("image/png"), body: Buffer.from([1, 2]) }, both);
  expect(png.content).toEqual([{ type: "image", data: "AQI=", mimeType: "image/png" }]);
  expect(png.structured).toEqual({ body: { base64: "AQI=", mediaType: "image/png" } });
  // What is promised for one status is not for another.
  const perStatus = {
    responses: {
      ...(answering(OBJECT) as { responses: object }).responses,
      206: { description: "part", content: { "text/plain": {} } },
    },
  };
  expect((await callOnce({ status: 206, headers: of("text/plain"), body: "1" }, perStatus)).structured).toEqual({
    body: "1",
  });
});

test("a compressed answer is read, within the same bound", async () => {
  const compressed = { ...JSON_TYPE, "content-encoding": "gzip" };
  expect((await callOnce({ headers: compressed, body: gzipSync('{"a":1}') })).structured).toEqual({ body: { a: 1 } });
  const bomb = await callOnce({ headers: compressed, body: gzipSync(Buffer.alloc(10_000_000)) }, answering({}), {
    maxBytes: 50_000,
  });
  expect(bomb.text).toContain("the answer is longer than 50000 bytes");
  expect((await callOnce({ headers: compressed, body: "{}" })).text).toContain("the answer is no gzip, as it says");
});

test("pages, limits and waits of the headers are visible, cookies are not", async () => {
  const link =
    '<https://api.example/things?page=2>; rel="next", <https://api.example/things?page=9>; title="x"; rel=last';
  const headers = {
    ...JSON_TYPE,
    link,
    "x-ratelimit-remaining": "3",
    "retry-after": "7",
    "set-cookie": "session=secret",
    etag: '"1"',
  };
  const { http } = await callOnce({ headers, body: "{}" });
  expect(http).toEqual({
    status: 200,
    headers: {
      "content-type": "application/json",
      link,
      "x-ratelimit-remaining": "3",
      "retry-after": "7",
      etag: '"1"',
    },
    links: { next: "https://api.example/things?page=2", last: "https://api.example/things?page=9" },
  });
});

test.each([
  [400, "Compare the arguments with the schema of the tool."],
  [401, "The server wants a login: give it with --header."],
  [404, "Check the ids in the arguments"],
  [409, "Read the current state, then try again."],
  [418, "Compare the call with the document of the API."],
  [429, "wait before the next one. Retry-After: 30."],
  [503, "try again later if the call may be repeated. Retry-After: 30."],
])("status %i is an error of the tool with the body and a hint", async (status, hint) => {
  const result = await callOnce({
    status,
    headers: { ...JSON_TYPE, "retry-after": "30" },
    body: '{"why":"\u001b[31mno"}',
  });
  expect(result.isError).toBe(true);
  expect(result.text).toMatch(new RegExp(`^GET /thing answered ${status} .*\n\\{"why":"\\[31mno"\\}\nhint: `));
  expect(result.text).toContain(hint);
  expect(result.http.status).toBe(status);
});

test("a long error is cut, and one in bytes is counted", async () => {
  expect((await callOnce({ status: 500, body: "x".repeat(100_000) })).text.length).toBeLessThan(5_000);
  const bytes = await callOnce({ status: 500, headers: { "content-type": "image/png" }, body: Buffer.alloc(7) });
  expect(bytes.text).toContain("(7 bytes of image/png)");
});

test("redirects are followed within the origin only", async () => {
  const other = await startScriptedApi((_, response) => response.writeHead(200, JSON_TYPE).end("{}"));
  const { origin, seen } = await startScriptedApi(({ url }, response) => {
    if (url === "/thing") response.writeHead(307, { location: "/moved" }).end();
    else if (url === "/out") response.writeHead(302, { location: `${other.origin}/stolen` }).end();
    else if (url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else response.writeHead(200, JSON_TYPE).end('{"moved":true}');
  });
  const paths = ["thing", "out", "loop"].map((name) => [`/${name}`, { get: { operationId: name, ...answering({}) } }]);
  const { call } = await connectApi(makeDocument(Object.fromEntries(paths)), {
    ...{ baseUrl: origin, headers: ["Authorization: Bearer ${TOKEN}"], env: { TOKEN: "tokentoken" } },
  });
  expect((await call("thing")).structured).toEqual({ body: { moved: true } });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer tokentoken", "Bearer tokentoken"]);
  const out = await call("out");
  expect(out.text).toContain(`answered 302 Found, and leads to ${other.origin}/stolen\n`);
  expect(out.text).toContain("No login goes to another host. With --follow-redirects a GET is read there without one");
  expect(out.http.headers["location"]).toBe(`${other.origin}/stolen`);
  expect(other.seen).toEqual([]);
  expect((await call("loop")).isError).toBe(true);
  expect(seen.filter(({ url }) => url === "/loop").length).toBe(6);
});

test("time, size and the signal of the caller end a call", async () => {
  let [begun, closed] = [0, 0];
  const { origin } = await startScriptedApi(({ url }, response) => {
    if (url === "/slow") begun += 1;
    if (url === "/slow") response.on("close", () => (closed += 1));
    if (url === "/large") response.writeHead(200, JSON_TYPE).end(" ".repeat(100_000));
  });
  const paths = {
    "/large": { get: { operationId: "large", ...answering({}) } },
    "/slow": { get: { operationId: "slow", ...answering({}) } },
  };
  const short = await connectApi(makeDocument(paths), { baseUrl: origin, timeoutMs: 100, maxBytes: 50_000 });
  expect((await short.call("large")).text).toContain("the answer is longer than 50000 bytes");
  expect((await short.call("slow")).text).toContain("there is no answer after 100 ms");
  // A busy machine may take longer than that to send the request.
  const before = begun;
  const { call } = await connectApi(makeDocument(paths), { baseUrl: origin });
  const abort = new AbortController();
  const pending = call("slow", {}, abort.signal);
  await vi.waitFor(() => expect(begun).toBeGreaterThan(before));
  abort.abort();
  await expect(pending).rejects.toThrow();
  await vi.waitFor(() => expect(closed).toBe(begun));
});

test("a long answer says how far it is to a client that asks", async () => {
  const total = 1000;
  let finish = (): void => undefined;
  const { origin } = await startScriptedApi((_, response) => {
    let sent = 2;
    response.writeHead(200, { ...JSON_TYPE, "content-length": String(total) }).write("[1");
    const writing = setInterval(() => {
      response.write(" ");
      sent += 1;
    }, 50);
    finish = () => {
      clearInterval(writing);
      response.end("]".padStart(total - sent));
    };
  });
  const { client } = await connectApi(makeDocument({ "/a": { get: { operationId: "a" } } }), { baseUrl: origin });
  const heard: { progress: number }[] = [];
  await client.callTool({ name: "a" }, { onprogress: (progress) => heard.push(progress) === 1 && finish() });
  expect(heard[0]).toEqual({ progress: expect.any(Number), total });
  expect(heard[0]?.progress).toBeGreaterThan(1);
  expect(heard[0]?.progress).toBeLessThan(total);
});

test("a server that cannot be reached is an error with one line", async () => {
  const document = makeDocument({ "/thing": { get: { operationId: "thing", ...answering({}) } } });
  const { call } = await connectApi(document, { baseUrl: "http://127.0.0.1:1" });
  expect((await call("thing")).text).toBe(
    "the server cannot be reached: ECONNREFUSED\nhint: Check the address and the network.",
  );
});

test("an answer of the status 300 or more is none, and one below is", async () => {
  expect((await callOnce({ status: 299, body: "{}" })).isError).toBe(false);
  expect((await callOnce({ status: 300, body: "{}" })).isError).toBe(true);
});

test("pages that an answer names are in its body, where the body is no object of its own", async () => {
  const headers = { ...JSON_TYPE, link: '<https://api.example/b>; rel="next"' };
  const list = await callOnce({ headers, body: "[1]" }, answering({ type: "array", items: {} }));
  expect(list.structured).toEqual({ body: [1], links: { next: "https://api.example/b" } });
  expect((await callOnce({ headers, body: '{"a":1}' }, answering(OBJECT))).structured).toEqual({ a: 1 });
});

test("what a document promises for a class of statuses, or for all others, counts for them", async () => {
  const text = { content: { "text/plain": { schema: { type: "string" } } } };
  const responses = {
    200: { description: "ok", content: { "application/json": { schema: OBJECT } } },
    "2XX": { description: "others", ...text },
  };
  const other = { status: 203, headers: of("text/plain"), body: "1" };
  expect((await callOnce(other, { responses })).text).toBe("1");
  const { "2XX": rest, ...exact } = responses;
  expect((await callOnce(other, { responses: { ...exact, default: rest } })).text).toBe("1");
  // A status that the document does not know is read by what it says of its successes.
  expect((await callOnce({ ...other, body: '{"id":1}' }, { responses: exact })).structured).toEqual({ id: 1 });
  expect((await callOnce(other, { responses: exact })).structured).toEqual({ body: 1 });
  expect((await callOnce({ ...other, body: "no" }, { responses: exact })).isError).toBe(true);
});

test("without a promise, JSON is what says so, and a text without a type loses its quotes", async () => {
  const nothing = { responses: {} };
  expect((await callOnce({ body: '{"a":1}' }, nothing)).structured).toEqual({ a: 1 });
  expect((await callOnce({ headers: {}, body: '{"a":1}' }, nothing)).text).toBe('{"a":1}');
  expect((await callOnce({ headers: {}, body: '"a"' }, nothing)).structured).toEqual({ body: "a" });
  expect(await callOnce({ headers: {}, body: "plain" }, nothing)).toMatchObject({ text: "plain", isError: false });
  expect((await callOnce({ headers: of("text/plain"), body: '{"a":1}' }, nothing)).text).toBe('{"a":1}');
  const typed = promising("text/csv", { type: "string" });
  expect((await callOnce({ headers: {}, body: "1" }, typed)).text).toBe("1");
});

test("a page is a text only where the document lets any type come", async () => {
  const page = { headers: of("text/html; charset=utf-8"), body: "<p>" };
  const text = { type: "string" };
  expect((await callOnce(page, promising("application/json", text))).isError).toBe(true);
  expect((await callOnce(page, promising("*/*", text))).structured).toEqual({ body: "<p>" });
  const also = { type: ["string", "object"] };
  expect((await callOnce(page, promising("*/*", also))).isError).toBe(true);
  const plain = { headers: of("text/plain"), body: "words" };
  expect((await callOnce(plain, promising("*/*", also))).isError).toBe(false);
  expect((await callOnce(plain, promising("application/json", also))).isError).toBe(true);
  const two = {
    responses: {
      200: {
        description: "ok",
        content: { "application/json": { schema: also }, "application/*": { schema: also } },
      },
    },
  };
  expect((await callOnce(plain, two)).isError).toBe(false);
});

test.each([
  ["audio/ogg", "audio"],
  ["audio/wav", "audio"],
  ["audio/ogg-x", "resource"],
  ["x-audio/ogg", "resource"],
  ["image/webp", "image"],
  ["image/svg-x", "resource"],
  ["application/octet-stream", "resource"],
])("bytes of the type %s are content of the kind %s", async (mediaType, kind) => {
  const { content } = await callOnce({ headers: of(mediaType), body: Buffer.from([1, 2]) }, { responses: {} });
  expect(content).toMatchObject([
    kind === "resource" ? { type: kind } : { type: kind, data: "AQI=", mimeType: mediaType },
  ]);
});

test("the address of a file has no query, which can have a key in it", async () => {
  const { content } = await callOnce(
    { headers: of("application/zip"), body: Buffer.from([1]) },
    { responses: {}, parameters: [{ in: "query", name: "key", schema: {} }] },
  );
  expect(content).toMatchObject([{ resource: { uri: expect.stringMatching(/\/thing$/) } }]);
});

test.each([
  ['text/plain; charset="latin1"', "ä"],
  ["text/plain;charset=ISO-8859-1", "ä"],
  ["text/plain;   charset=windows-1252", "ä"],
  ["text/plain; charset=unheard-of", "\uFFFD"],
  ["text/plain", "\uFFFD"],
])("a text of the type %s is %j", async (type, text) => {
  expect((await callOnce({ headers: of(type), body: Buffer.from([0xe4]) }, { responses: {} })).text).toBe(text);
});

test("an error is shown up to its limit, without blanks around it, and without empty lines", async () => {
  const shown = async (body: string) => (await callOnce({ status: 500, headers: of("text/plain"), body })).text;
  expect((await shown("")).split("\n")).toHaveLength(2);
  expect((await shown(" \n why \n ")).split("\n")[1]).toBe("why");
  expect((await shown("x".repeat(4_000))).split("\n")[1]).toBe("x".repeat(4_000));
  expect((await shown("x".repeat(4_001))).split("\n")[1]).toBe(`${"x".repeat(4_000)}…`);
  const wrong = await callOnce({ headers: JSON_TYPE, body: "\u0001" });
  expect(wrong.text.split("\n")).toHaveLength(2);
});

test("a long reason of a status is cut, and has no control characters", async () => {
  const { origin } = await startScriptedApi((_, response) =>
    response.writeHead(500, `why\tnot ${"x".repeat(200)}`, JSON_TYPE).end(""),
  );
  const document = makeDocument({ "/thing": { get: { operationId: "thing", ...answering({}) } } });
  const { call } = await connectApi(document, { baseUrl: origin });
  const [first = ""] = (await call("thing")).text.split("\n");
  expect(first).toMatch(/^GET \/thing answered 500 why\s?not x+$/);
  expect(first.length).toBe("GET /thing answered 500 ".length + 100);
});
