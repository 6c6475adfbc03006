import { expect, test } from "vitest";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const ok = (): ReturnType<typeof startScriptedApi> =>
  startScriptedApi((_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));

test("an argument of the path stays a step of it in what a proxy reads", async () => {
  const { origin, seen } = await ok();
  const styles = ["simple", "label", "matrix"].flatMap((style) =>
    [false, true].map((explode) => ({ style, explode, id: `${style}${explode ? "Exploded" : ""}` })),
  );
  const paths = Object.fromEntries(
    styles.map(({ id, style, explode }) => [
      `/${id}/{p}/end`,
      {
        get: {
          operationId: id,
          parameters: [{ in: "path", name: "p", required: true, style, explode, schema: {} }],
          ...answering({}),
        },
      },
    ]),
  );
  const { call } = await connectApi(makeDocument(paths), { baseUrl: `${origin}/v1` });
  const out = [
    ...[".", "..", "../admin", "a/../../b", "..\\admin", "a/..;x=1/b", "..;", "./a", "..?x", "..#x"],
    ...["%2e%2e/a", "%2E%2e%2fadmin", "%252e%252e%252fadmin", "%25252e%25252e%25252fa", ".%2e", "a%2f..%5cb"],
    ...["..\n", "..\u0000", "\t..", ".\u200b.", "\uFF0E\uFF0E\uFF0Fa", "%c0%ae%c0%ae%c0%afa", "%u002e%u002e/a"],
    ...[[".."], ["a", "../b"], { x: ".." }, { "..": "x" }, { "../x": 1 }, ["%2e%2e"], [["..", "a"]].flat()],
  ];
  for (const p of out)
    for (const { id } of styles) {
      const { isError, text } = await call(id, { p });
      expect([p, id, isError], text).toEqual([p, id, true]);
      expect(text).toContain("Use no dots alone as a part of the path, encoded or not.");
    }
  expect(seen).toEqual([]);
  // A dot of the style beside one of the value is a step as well.
  expect((await call("labelExploded", { p: ["", ""] })).isError).toBe(true);
  const values = ["...", "a..b", "v1.2", ".git", "a/b", "a;b", "100%", "%zz", "%c3", "~", ["a.", ".b"], { a: "1.0" }];
  for (const p of values)
    for (const { id } of styles) expect((await call(id, { p })).isError, `${id} ${JSON.stringify(p)}`).toBe(false);
  expect(seen).toHaveLength(values.length * styles.length);
});

test("an argument is one value for every reader of the query or the cookies, and takes the place of no login", async () => {
  const { origin, seen } = await ok();
  const given = { style: "form", explode: true, allowReserved: true, schema: {} };
  const parameters = ["query", "cookie"].flatMap((place) =>
    ["one", "many"].map((name) => ({ in: place, name: `${place}_${name}`, ...given })),
  );
  const securitySchemes = {
    inQuery: { type: "apiKey", in: "query", name: "api_key" },
    inCookie: { type: "apiKey", in: "cookie", name: "session" },
  };
  const document = makeDocument(
    { "/thing?mode=read": { get: { operationId: "thing", parameters, ...answering({}) } } },
    { components: { securitySchemes }, security: [{ inQuery: [], inCookie: [] }] },
  );
  const env = { OPENAPI_IN_QUERY: "real-key", OPENAPI_IN_COOKIE: "real-session" };
  const { call } = await connectApi(document, { baseUrl: origin, env });
  const reserved = "a;session=evil, b&api_key=evil";
  await call("thing", {
    query_one: reserved,
    cookie_one: reserved,
    query_many: { "x;y=z": "1" },
    cookie_many: { "x;y=z": ";" },
  });
  const [{ url, headers } = { url: "", headers: {} }] = seen;
  expect(new URL(url, origin).searchParams.getAll("api_key")).toEqual(["real-key"]);
  expect(url).not.toContain(";");
  expect(headers.cookie?.split(/[;,]\s*/)).toEqual([
    "session=real-session",
    `cookie_one=${encodeURIComponent(reserved)}`,
    `${encodeURIComponent("x;y=z")}=%3B`,
  ]);
  for (const wrong of [
    { cookie_many: { session: "evil" } },
    { cookie_many: { " Session": "evil" } },
    { query_many: { api_key: "evil" } },
    { query_many: { "api.key": "evil" } },
    { query_many: { "api_key[]": "evil" } },
    { query_many: { mode: "write" } },
  ]) {
    const { text } = await call("thing", wrong);
    expect(text, JSON.stringify(wrong)).toContain("has the name of another part of the");
  }
  expect(seen).toHaveLength(1);
});

test("no header of a document or an argument names another end, type or name of a part", async () => {
  const bodies: { type: string; body: string }[] = [];
  const { origin } = await startScriptedApi((request, response) => {
    let body = "";
    request.setEncoding("latin1").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      bodies.push({ type: request.headers["content-type"] ?? "", body });
      response.writeHead(204).end();
    });
  });
  const post = (mediaType: string, schema: object, encoding: object = {}): object => ({
    post: { requestBody: { required: true, content: { [mediaType]: { schema, encoding } } } },
  });
  const object = { type: "object", properties: { text: { type: "string" } }, additionalProperties: true };
  const { call } = await connectApi(
    makeDocument({
      "/form": post("multipart/form-data; boundary=XX", object, { text: { contentType: "text/plain\r\nX: y" } }),
      "/text": post("text/plain; charset=utf-16", { type: "string" }),
      "/json": post("application/json; charset=utf-16; version=1", object),
    }),
    { baseUrl: origin },
  );
  const name = 'a\\"; filename="x\r\n\u0000';
  await call("post_form", { body: { text: "--XX--", [name]: "1" } });
  await call("post_text", { body: "ä" });
  await call("post_json", { body: { text: "ä" } });
  const form = bodies.filter(({ type }) => type.startsWith("multipart/"));
  expect(form.length).toBeGreaterThan(0);
  for (const { type, body } of form) {
    const [, boundary = ""] = /^multipart\/form-data; boundary=(codemode-[\w-]+)$/.exec(type) ?? [];
    expect(boundary, type).not.toBe("");
    expect(body.split(`--${boundary}`).length).toBeGreaterThan(2);
    expect(body).not.toMatch(/\r\nX: y/);
    for (const [, quoted] of body.matchAll(/name="([^"]*)"/g)) expect(quoted).toMatch(/^[^\\]*$/);
  }
  expect(bodies.map(({ type }) => type).filter((type) => !type.startsWith("multipart/"))).toEqual([
    "text/plain; charset=utf-8",
    "application/json; version=1",
  ]);
});
