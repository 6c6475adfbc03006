import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const SECURITY = {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
};
const PATHS = { "/a": { get: { operationId: "a", ...answering({ type: "object" }) } } };
const TENANT = { url: "https://{tenant}.api.example/v1", variables: { tenant: { default: "acme" } } };
const REGION = { url: "https://{region}.api.example", variables: { region: { default: "us", enum: ["us", "de"] } } };

const open = (servers: object[], options: object = {}, paths: object = PATHS) =>
  createOpenApiServer(makeDocument(paths, { servers, ...SECURITY }), options);
const refusal = async (servers: object[], options: object = {}) =>
  open(servers, options).then(
    () => "no error",
    ({ message, hint }: Error & { hint: string }) => `${message} | ${hint}`,
  );

test("a default among any values is an example: no call goes there until a person says the value, or the whole address", async () => {
  expect(await refusal([TENANT])).toBe(
    "document:1: #/servers: the address https://{tenant}.api.example/v1 is not complete: there is no value for tenant (its example: acme)" +
      " | Give --server-variable tenant=VALUE, or if the example is right, --base-url https://acme.api.example/v1.",
  );
  expect((await open([TENANT], { serverVariables: ["tenant=mine"] })).base?.href).toBe("https://mine.api.example/v1");
  expect((await open([TENANT], { baseUrl: "https://acme.api.example/v1" })).base?.href).toContain("acme");
  // A word of the document that looks like a choice is none.
  for (const variable of [
    { default: "acme", enum: [] },
    { default: "acme", enum: ["other"] },
    { default: "acme", enum: "acme" },
  ])
    expect(await refusal([{ ...TENANT, variables: { tenant: variable } }])).toContain("there is no value for tenant");
  const port = { url: "http://localhost:{port}", variables: { port: { default: "80@evil.example:" } } };
  expect(await refusal([port])).toContain("there is no value for port");
  // Nothing is sent with --mock.
  expect((await open([TENANT], { mock: true })).tools).toHaveLength(1);
});

test("a hint that is copied into a shell has no words of the document but a plain address", async () => {
  const command = { url: "https://{tenant}.example/$(id)", variables: { tenant: { default: "acme" } } };
  expect(await refusal([command])).toMatch(/\| Give --server-variable tenant=VALUE\.$/);
  const name = "a --trust-origin https://evil.example";
  const options = { url: `https://{${name}}.example`, variables: { [name]: { default: "acme" } } };
  expect(await refusal([options])).toContain("does not say at which address the server is | Give it with --base-url.");
});

test("a choice of the document is taken and named, and another one is one that it lists", async () => {
  const { base, serverVariables } = await open([REGION]);
  expect(base?.href).toBe("https://us.api.example/");
  expect(serverVariables).toEqual([{ name: "region", value: "us", choices: ["us", "de"], isSettled: true }]);
  expect((await open([REGION], { serverVariables: ["region=de"] })).base?.href).toBe("https://de.api.example/");
  expect(await refusal([REGION], { serverVariables: ["region=fr"] })).toContain("Use us or de.");
  expect(await refusal([REGION], { serverVariables: ["zone=us"] })).toContain(
    "has a variable zone | There are region.",
  );
  expect(await refusal([REGION], { serverVariables: ["region"] })).toContain("Write it as NAME=VALUE.");
});

test("a server of one operation takes what it does not say of a variable from those of the document, and gets no login of its own", async () => {
  const own = (server: object) => ({ "/a": { get: { operationId: "a", servers: [server], ...answering({}) } } });
  const { tools } = await open(
    [REGION],
    { serverVariables: ["region=de"] },
    own({ url: "https://{region}.api.example" }),
  );
  expect(tools[0]?.description).toContain("GET https://de.api.example/a");
  const upload = { url: "https://{host}/up", variables: { host: { default: "upload.example" } } };
  const { tools: uploads } = await open([REGION], {}, own(upload));
  expect(uploads[0]?.description).toContain("GET https://upload.example/up/a");
});

test("the login goes to the server whose variables are set, and to no example", async () => {
  const { origin, seen } = await startScriptedApi((_, response) => response.end("{}"));
  const { port } = new URL(origin);
  const servers = [
    { url: "http://{host}:{port}", variables: { host: { default: "evil.example" }, port: { default: "80" } } },
  ];
  const { call } = await connectApi(makeDocument(PATHS, { servers, ...SECURITY }), {
    serverVariables: [`host=127.0.0.1`, `port=${port}`],
    trustOrigins: [origin],
    env: { OPENAPI_KEY: "the-token" },
  });
  await call("a");
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer the-token"]);
});

test.each(["openIdConnect", "oauth2"])(
  "the addresses of an %s login are judged by the address that is settled",
  async (type) => {
    const flows = { clientCredentials: { tokenUrl: "https://acme.api.example/token", scopes: {} } };
    const openIdConnectUrl = "https://acme.api.example/.well-known/openid-configuration";
    const securitySchemes = { key: type === "oauth2" ? { type, flows } : { type, openIdConnectUrl } };
    const env = { OPENAPI_KEY_CLIENT_ID: "me", OPENAPI_KEY_CLIENT_SECRET: "the-secret" };
    const document = makeDocument(PATHS, { servers: [TENANT], ...SECURITY, components: { securitySchemes } });
    const opened = createOpenApiServer(document, { serverVariables: ["tenant=mine"], env });
    await expect(opened).rejects.toThrow("is of another origin than the API, so no login goes there");
  },
);
