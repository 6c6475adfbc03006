import { expect, test } from "vitest";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const SCHEMES = {
  petAuth: { type: "apiKey", in: "header", name: "X-Key" },
  "in-query": { type: "apiKey", in: "query", name: "key" },
  inCookie: { type: "apiKey", in: "cookie", name: "session" },
  bearer: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "Basic" },
  oauth: { type: "oauth2", flows: {} },
  certificate: { type: "mutualTLS" },
};
const ENV = {
  OPENAPI_PET_AUTH: "pet-key",
  OPENAPI_IN_QUERY: "a&b",
  OPENAPI_IN_COOKIE: "cookie-key",
  OPENAPI_BEARER: "bearer-token",
  OPENAPI_BASIC_USERNAME: "ada",
  OPENAPI_BASIC_PASSWORD: "secret",
  OPENAPI_OAUTH: "oauth-token",
};

/** What an API sees of a call whose operation wants these schemes. */
async function seeLogin(
  security: object[],
  env: Record<string, string> = ENV,
  headers: string[] = [],
  variables?: string,
) {
  const { origin, seen } = await startScriptedApi((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const paths = { "/thing": { get: { operationId: "thing", security, ...answering({}) } } };
  const document = makeDocument(paths, { components: { securitySchemes: SCHEMES } });
  const { api, call } = await connectApi(document, { baseUrl: origin, env, headers, variables });
  await call("thing");
  const [request] = seen;
  const { authorization, cookie, "x-key": key } = request?.headers ?? {};
  return { url: request?.url, authorization, cookie, key, variables: api.variables };
}

const NOTHING = { url: "/thing", authorization: undefined, cookie: undefined, key: undefined };

test("each kind of login is sent as the document says", async () => {
  const basic = Buffer.from("ada:secret").toString("base64");
  expect(await seeLogin([{ petAuth: [] }])).toMatchObject({ ...NOTHING, key: "pet-key" });
  expect(await seeLogin([{ "in-query": [] }])).toMatchObject({ ...NOTHING, url: "/thing?key=a%26b" });
  expect(await seeLogin([{ inCookie: [] }])).toMatchObject({ ...NOTHING, cookie: "session=cookie-key" });
  expect(await seeLogin([{ bearer: [] }])).toMatchObject({ ...NOTHING, authorization: "Bearer bearer-token" });
  expect(await seeLogin([{ basic: [] }])).toMatchObject({ ...NOTHING, authorization: `Basic ${basic}` });
  expect(await seeLogin([{ oauth: ["read"] }])).toMatchObject({ ...NOTHING, authorization: "Bearer oauth-token" });
});

test("the first alternative that has all its values is used, and an operation without one gets none", async () => {
  const { OPENAPI_PET_AUTH, ...others } = ENV;
  const both = await seeLogin(
    [
      { petAuth: [], bearer: [] },
      { inCookie: [], "in-query": [] },
    ],
    others,
  );
  expect(both).toMatchObject({ ...NOTHING, url: "/thing?key=a%26b", cookie: "session=cookie-key" });
  expect(both.variables).toMatchObject({ OPENAPI_PET_AUTH: false, OPENAPI_BEARER: true });
  for (const security of [[], [{}], [{ certificate: [] }], [{ unknown: [] }]]) {
    expect(await seeLogin(security)).toMatchObject(NOTHING);
  }
  // Where a login is optional, it is used.
  expect(await seeLogin([{}, { petAuth: [] }])).toMatchObject({ key: OPENAPI_PET_AUTH });
});

test("a server whose variables have a prefix of their own reads them, and takes an empty one as absent", async () => {
  const given = { OPENAPI_PET_AUTH: "pet-key", OPENAPI_BEARER: "", PETS_BEARER: "own-token" };
  expect(await seeLogin([{ bearer: [] }], given, [], "PETS")).toMatchObject({
    ...NOTHING,
    authorization: "Bearer own-token",
    variables: { PETS_BEARER: true },
  });
  expect(await seeLogin([{ petAuth: [] }], given, [], "PETS")).toMatchObject({ ...NOTHING, key: "pet-key" });
  const empty = await seeLogin([{ basic: [] }], { OPENAPI_BASIC_USERNAME: "", OPENAPI_BASIC_PASSWORD: "" }, [], "PETS");
  expect(empty).toMatchObject({
    ...NOTHING,
    variables: { PETS_BASIC_USERNAME: false, PETS_BASIC_PASSWORD: false },
  });
});

test("a header by hand goes with every request, and before a login of the document", async () => {
  const header = "authorization: Bearer ${TOKEN}";
  const env = { ...ENV, TOKEN: "by-hand" };
  expect(await seeLogin([{ bearer: [] }], env, [header])).toMatchObject({
    ...NOTHING,
    authorization: "Bearer by-hand",
  });
  expect(await seeLogin([], env, [header])).toMatchObject({ ...NOTHING, authorization: "Bearer by-hand" });
});

test("headers of the environment go with every request, and their values are masked", async () => {
  const env = { OPENAPI_HEADERS: "Authorization: Bearer of-lines\nX-Key: key-of-lines\n" };
  const seen = await seeLogin([], env);
  expect(seen).toMatchObject({ ...NOTHING, authorization: "Bearer of-lines", key: "key-of-lines" });
  const { origin } = await startScriptedApi(({ headers }, response) =>
    response.writeHead(500).end(`${headers.authorization} ${String(headers["x-key"])}`),
  );
  const { call } = await connectApi(makeDocument({ "/a": { get: { operationId: "a" } } }), { baseUrl: origin, env });
  expect((await call("a")).text).toContain("Bearer *** ***");
});

test("an answer of 401 names the variables, for each alternative of the operation", async () => {
  const { origin } = await startScriptedApi((_, response) => response.writeHead(401).end());
  const paths = { "/thing": { get: { operationId: "thing", security: [{ basic: [] }, { petAuth: [] }] } } };
  const document = makeDocument(paths, { components: { securitySchemes: SCHEMES } });
  const { call } = await connectApi(document, { baseUrl: origin });
  expect((await call("thing")).text).toContain(
    "set OPENAPI_BASIC_USERNAME or OPENAPI_BASIC_PASSWORD or OPENAPI_PET_AUTH, or renew what is set, or give --header.",
  );
});
