import { expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const TEXT = { type: "string" };
const TOKEN = { in: "query", name: "token", required: true, schema: TEXT };
const form = (...names: string[]) => ({
  requestBody: {
    content: {
      "application/x-www-form-urlencoded": {
        schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: names },
      },
    },
  },
});
const PATHS = {
  "/list": {
    get: {
      operationId: "list",
      parameters: [TOKEN, { in: "query", name: "page_token", schema: TEXT }],
      ...answering({}),
    },
  },
  "/head": { get: { operationId: "head", parameters: [{ ...TOKEN, in: "header" }], ...answering({}) } },
  "/post": { post: { operationId: "post", ...form("token", "text"), ...answering({}) } },
  "/only": { post: { operationId: "only", ...form("token"), ...answering({}) } },
  "/other": {
    get: { operationId: "other", servers: [{ url: "http://localhost:1" }], parameters: [TOKEN], ...answering({}) },
  },
};
const fixedArguments = ["token: ${SLACK_TOKEN}"];
const env = { SLACK_TOKEN: "xoxb-the-token" };

test("a login that is an argument is given by hand: no tool has it, and each request has it where the document says", async () => {
  const bodies: string[] = [];
  const { origin, seen } = await startScriptedApi((request, response) => {
    request.on("data", (part: Buffer) => bodies.push(part.toString()));
    request.on("end", () => response.end(JSON.stringify({ said: "xoxb-the-token" })));
  });
  const { api, call } = await connectApi(makeDocument(PATHS), { baseUrl: origin, fixedArguments, env });
  const names = api.tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
  expect(names).toEqual([["page_token"], [], ["text"], [], []]);
  expect(api.tools.flatMap(({ inputSchema }) => inputSchema.required ?? [])).toEqual([]);
  const answers = [await call("list"), await call("head"), await call("post", { text: "a" }), await call("only")];
  expect(seen.map(({ url, headers }) => [url, headers["token"]])).toEqual([
    ["/list?token=xoxb-the-token", undefined],
    ["/head", "xoxb-the-token"],
    ["/post", undefined],
    ["/only", undefined],
  ]);
  expect(bodies).toEqual(["text=a&token=xoxb-the-token", "token=xoxb-the-token"]);
  // Scripts never see it, in answers either.
  expect(JSON.stringify(answers)).not.toContain("xoxb");
  expect((await call("list", { token: "mine" })).text).toContain("has no argument token");
});

test("it goes to no server that logins do not go to", async () => {
  const { origin, seen } = await startScriptedApi((_, response) => response.end("{}"));
  const paths = { "/other": { get: { ...PATHS["/other"].get, servers: [{ url: origin }] } } };
  const document = makeDocument(paths, { servers: [{ url: "https://api.example" }] });
  const { call } = await connectApi(document, { fixedArguments, env });
  await call("other");
  expect(seen).toEqual([]);
  const trusting = await connectApi(document, { fixedArguments, env, trustOrigins: [origin] });
  await trusting.call("other");
  expect(seen.map(({ url }) => url)).toEqual(["/other?token=xoxb-the-token"]);
});

test("a value of the path goes where logins go too, and a call of another server is refused", async () => {
  const { origin, seen } = await startScriptedApi((_, response) => response.end("{}"));
  const parameters = [{ in: "path", name: "bot", required: true, schema: TEXT }];
  const paths = { "/{bot}/a": { get: { operationId: "a", servers: [{ url: origin }], parameters, ...answering({}) } } };
  const options = { fixedArguments: ["bot: the-token"] };
  const document = makeDocument(paths, { servers: [{ url: "https://api.example" }] });
  const { call } = await connectApi(document, options);
  expect((await call("a")).text).toContain(
    "has the value of --argument for bot in its path, and its server is another one",
  );
  expect(seen).toEqual([]);
  const { call: callTrusted } = await connectApi(document, { ...options, trustOrigins: [origin] });
  await callTrusted("a");
  expect(seen.map(({ url }) => url)).toEqual(["/the-token/a"]);
});

test("values come from the environment too, one a line, and what is wrong is said", async () => {
  const { origin, seen } = await startScriptedApi((_, response) => response.end("{}"));
  const { call } = await connectApi(makeDocument(PATHS), {
    baseUrl: origin,
    env: { OPENAPI_ARGUMENTS: "token: abc\npage_token: def" },
  });
  await call("list");
  expect(seen[0]?.url).toBe("/list?token=abc&page_token=def");
  const open = (fixed: string) => createOpenApiServer(makeDocument(PATHS), { mock: true, fixedArguments: [fixed] });
  await expect(open("token")).rejects.toThrow("an argument is not valid");
  await expect(open("token: ${NONE}")).rejects.toThrow("the variable NONE for the argument token is not set");
});

test("arguments that look like a login are counted, for the line that names the option", async () => {
  const options = { baseUrl: "https://api.example" };
  expect((await createOpenApiServer(makeDocument(PATHS), options)).loginArguments).toEqual({ token: 5 });
  expect((await createOpenApiServer(makeDocument(PATHS), { ...options, fixedArguments, env })).loginArguments).toEqual(
    {},
  );
});
