import { expect, test } from "vitest";
import { makeTokenSource } from "../../openapi/oauth/token-source.ts";
import { createOpenApiServer } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { connectRobot, documentOf, POSTING_ROBOT, robot, ROBOT, startProtectedApi } from "./protected-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

test("a client of its own gets one token for calls at once, with the scopes that the operations ask for", async () => {
  const { origin, tokenUrl, asked } = await startProtectedApi();
  const env = robot({ OPENAPI_PET_AUTH_TOKEN_URL: tokenUrl });
  const { call, api } = await connectRobot(origin, tokenUrl, env, ["tools:read", "tools:write", "not\u0000a scope"]);
  expect(api.variables).toEqual({ OPENAPI_PET_AUTH_CLIENT_ID: true, OPENAPI_PET_AUTH_CLIENT_SECRET: true });
  const results = await Promise.all(Array.from({ length: 8 }, () => call("thing")));
  expect(results.map(({ structured }) => structured)).toEqual(
    Array.from({ length: 8 }, () => ({ scope: "tools:read tools:write" })),
  );
  expect(asked()).toBe(1);
  const narrow = { ...env, OPENAPI_PET_AUTH_SCOPE: "tools:read" };
  const { call: callNarrow } = await connectRobot(origin, tokenUrl, narrow, ["tools:write"]);
  expect((await callNarrow("thing")).structured).toEqual({ scope: "tools:read" });
});

test("a token that the API refuses is fetched again once", async () => {
  const { origin, tokenUrl, asked, tokens, authorization } = await startProtectedApi();
  const { call } = await connectRobot(origin, tokenUrl, robot({ OPENAPI_PET_AUTH_TOKEN_URL: tokenUrl }));
  await call("thing");
  await (await authorization.provider.ClientCredentials.find(tokens[0] ?? ""))?.destroy();
  expect((await call("thing")).isError).toBe(false);
  expect([asked(), tokens.length]).toEqual([2, 3]);

  // An API that refuses every token: two requests for a call, and no end without one.
  const { origin: closed, seen } = await startScriptedApi(({ headers }, response) =>
    response.writeHead(401).end(headers.authorization),
  );
  const { call: callClosed } = await connectRobot(closed, tokenUrl, robot({ OPENAPI_PET_AUTH_TOKEN_URL: tokenUrl }));
  const { text } = await callClosed("thing");
  expect(seen).toHaveLength(2);
  expect(text).toContain(
    "answered 401 Unauthorized\nBearer ***\nhint: The server wants a login: set OPENAPI_PET_AUTH_CLIENT_ID",
  );
});

test("a token is used until shortly before its end", async () => {
  let time = 0;
  let count = 0;
  const source = makeTokenSource(
    (refreshToken) => {
      count += 1;
      return Promise.resolve({ accessToken: `${count}`, expiresIn: 100, refreshToken: `${refreshToken}+` });
    },
    "r",
    () => time,
  );
  const at = async (seconds: number): Promise<string> => {
    time = seconds;
    return source.get();
  };
  expect([await at(0), await at(89), await at(91), await at(180), await at(182)]).toEqual(["1", "1", "2", "2", "3"]);
  source.discard("2");
  expect(await source.get()).toBe("3");
  source.discard("3");
  expect(await source.get()).toBe("4");
});

test("the secret can go in the body, and special characters arrive", async () => {
  const { origin, tokenUrl } = await startProtectedApi();
  const by = (way: string, rest: object = {}) =>
    robot({ OPENAPI_PET_AUTH_TOKEN_URL: tokenUrl, OPENAPI_PET_AUTH_CLIENT_AUTH: way }, { ...POSTING_ROBOT, ...rest });
  for (const way of ["post", "basic"]) {
    const { call } = await connectRobot(origin, tokenUrl, by(way));
    expect((await call("thing")).isError).toBe(false);
  }
  const wrong = await connectRobot(origin, tokenUrl, by("basic", { clientSecret: "no secret of its" }));
  expect((await wrong.call("thing")).text).toMatch(
    /^there is no token for the login petAuth: invalid_client: client authentication failed\nhint: Check OPENAPI_PET_AUTH_CLIENT_ID and OPENAPI_PET_AUTH_CLIENT_SECRET\.$/,
  );
  await expect(connectRobot(origin, tokenUrl, by("none"))).rejects.toThrow("is neither basic nor post");
});

test("an error shows neither the secret nor a token, also where the server repeats them", async () => {
  const { origin } = await startScriptedApi((request, response) => {
    const said = `${request.headers.authorization} ${ROBOT.clientSecret} ${encodeURIComponent(ROBOT.clientSecret)}`;
    const body = JSON.stringify({ error: "invalid_client", error_description: said });
    response.writeHead(401, { "www-authenticate": "Basic", "content-type": "application/json" }).end(body);
  });
  const { call } = await connectRobot(origin, `${origin}/token`, robot());
  expect((await call("thing")).text).toContain(": invalid_client: Basic *** *** ***\n");
});

test("a success shows no token that was fetched, however the API repeats it", async () => {
  const { tokenUrl, authorization } = await startProtectedApi();
  const types = ["application/json", "text/plain", "application/json"];
  let count = 0;
  const { origin, seen } = await startScriptedApi((request, response) => {
    const { authorization: login = "" } = request.headers;
    const token = login.replace(/^Bearer /, "");
    const escaped = token.replaceAll(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const bodies = [
      `{"headers":{"authorization":"${login}"},"${token}":["${escaped}",{"at":"/a?t=${encodeURIComponent(token)}"}],"n":1}`,
      `you sent ${login}`,
      `"${token}"`,
    ];
    response.writeHead(200, { "content-type": types[count] ?? "" }).end(bodies[count]);
    count += 1;
  });
  const { call } = await connectRobot(origin, tokenUrl, robot({ OPENAPI_PET_AUTH_TOKEN_URL: tokenUrl }));
  const results = [await call("thing"), await call("thing"), await call("thing")];
  const token = (seen[0]?.headers.authorization ?? "").slice("Bearer ".length);
  expect(token.length).toBeGreaterThan(10);
  expect(JSON.stringify(results)).not.toContain(token);
  expect(results[0]?.structured).toEqual({
    headers: { authorization: "Bearer ***" },
    "***": ["***", { at: "/a?t=***" }],
    n: 1,
  });
  expect(authorization.requests).toHaveLength(1);
});

test("a document cannot send the secret to another host, only a person can", async () => {
  const { origin, tokenUrl, asked } = await startProtectedApi();
  await expect(connectRobot(origin, tokenUrl, robot())).rejects.toMatchObject({
    code: "SERVER_REFUSED",
    message: `document:1: #/components/securitySchemes/petAuth: ${tokenUrl} is of another origin than the API, so no login goes there by the word of the document`,
    hint: "If it is right, set OPENAPI_PET_AUTH_TOKEN_URL to it.",
  });
  const flows = (address: string): object => ({ type: "oauth2", flows: { clientCredentials: { tokenUrl: address } } });
  const start = (address: string, baseUrl: string, rest: object = {}) =>
    createOpenApiServer(documentOf(flows(address)), { baseUrl, env: robot(), ...rest });
  await expect(start("http://api.example/token", "http://api.example")).rejects.toThrow(
    "http://api.example/token is neither https nor of this machine",
  );
  await expect(start("https://evil.example/token", "https://api.example")).rejects.toThrow("of another origin");
  await expect(start("https://api.example.evil.example/token", "https://api.example")).rejects.toThrow("origin");
  await expect(start("https://api.example:8443/token", "https://api.example")).rejects.toThrow("of another origin");
  await expect(start("file:///etc/passwd", "https://api.example")).rejects.toThrow("neither https");
  await expect(start("", "https://api.example")).resolves.toBeDefined();
  await expect(start("/oauth/token", "https://api.example/v1")).resolves.toBeDefined();
  const trusting = { trustOrigins: ["https://login.example"] };
  await expect(start("https://login.example/token", "https://api.example", trusting)).resolves.toBeDefined();
  // Without its variables a login is not looked at, and with --mock nothing is sent.
  await expect(start("https://evil.example/", "https://api.example", { env: {} })).resolves.toBeDefined();
  await expect(start("https://evil.example/", "https://api.example", { mock: true })).resolves.toBeDefined();
  expect(asked()).toBe(0);
});

test("an address of the document on the origin of the API is used, and one of a private network is not reached", async () => {
  const { authorization } = await startProtectedApi();
  const scheme = { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: {} } } };
  const paths = { "/jwks": { get: { operationId: "jwks", security: [{ petAuth: [] }], ...answering({}) } } };
  const rest = { components: { securitySchemes: { petAuth: scheme } } };
  const env = robot();
  const { call } = await connectApi(makeDocument(paths, rest), { baseUrl: authorization.issuer, env });
  expect((await call("jwks")).isError).toBe(false);
  expect(authorization.requests).toEqual(["POST /token", "GET /jwks"]);
  const servers = [{ url: authorization.issuer }];
  const { call: callPrivate } = await connectApi(makeDocument(paths, { ...rest, servers }), { env });
  expect((await callPrivate("jwks")).text).toContain("is not of the public network");
  expect(authorization.requests).toHaveLength(2);
});

test("a request for a token follows no redirect", async () => {
  const { tokenUrl, asked } = await startProtectedApi();
  const { origin, seen } = await startScriptedApi((_, response) =>
    response.writeHead(307, { location: tokenUrl }).end(),
  );
  const { call } = await connectRobot(origin, `${origin}/token`, robot());
  expect((await call("thing")).text).toContain("answered 307, and a request with a secret follows no redirect");
  expect([asked(), seen.length]).toEqual([0, 1]);
});

test("an answer that is no token is one clear line", async () => {
  const say = async (status: number, body: string): Promise<string> => {
    const { origin } = await startScriptedApi((_, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body),
    );
    const { call } = await connectRobot(origin, `${origin}/token`, robot());
    return (await call("thing")).text.replace("there is no token for the login petAuth: ", "").split("\n")[0] ?? "";
  };
  expect(await say(200, "{}")).toContain('"access_token" property');
  expect(await say(200, "no json")).toContain("JSON");
  expect(await say(200, '{"access_token":"a","token_type":"mac"}')).toContain("token_type");
  expect(await say(500, "")).toContain("unexpected HTTP status code");
  expect(await say(200, '{"access_token":"a\\nb","token_type":"Bearer"}')).toContain("no header can have");
});

test("a secret whose token address a person gave goes to no scheme that is called like its variable", async () => {
  const { origin, seen } = await startScriptedApi((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const scheme = { type: "apiKey", in: "header", name: "X-Key" };
  const paths = { "/thing": { get: { operationId: "thing", security: [{ PET_AUTH_CLIENT_SECRET: [] }] } } };
  const document = makeDocument(paths, { components: { securitySchemes: { PET_AUTH_CLIENT_SECRET: scheme } } });
  const env = robot({ OPENAPI_PET_AUTH_TOKEN_URL: "https://login.example/token" });
  const { call } = await connectApi(document, { baseUrl: origin, env });
  await call("thing");
  expect(seen[0]?.headers["x-key"]).toBeUndefined();
});

test("an OpenID provider says its token address, within the same rule", async () => {
  const { authorization, origin } = await startProtectedApi();
  const openIdConnectUrl = `${authorization.issuer}/.well-known/openid-configuration`;
  const document = documentOf({ type: "openIdConnect", openIdConnectUrl });
  await expect(connectApi(document, { baseUrl: origin, env: robot() })).rejects.toThrow("is of another origin");
  const trusting = { baseUrl: origin, env: robot(), trustOrigins: [authorization.issuer] };
  const { call } = await connectApi(document, trusting);
  expect((await call("thing")).structured).toEqual({ scope: "tools:read" });
  // A provider that names another host.
  const { origin: hostile } = await startScriptedApi(({ headers }, response) => {
    const issuer = `http://${headers.host}`;
    const body = JSON.stringify({ issuer, token_endpoint: `${authorization.issuer}/token` });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  const wrong = documentOf({ type: "openIdConnect", openIdConnectUrl: "/.well-known/openid-configuration" });
  const { call: callWrong } = await connectApi(wrong, { baseUrl: hostile, env: robot() });
  expect((await callWrong("thing")).text).toContain("is of another origin than the API");
});
