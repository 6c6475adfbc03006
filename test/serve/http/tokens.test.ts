import { expect, test } from "vitest";
import { INITIALIZE, LIST_TOOLS, postMessage, sendRaw } from "./send-raw.ts";
import { ask, bearer, connectLegacy, connectModern, startHttp } from "./start-http.ts";

const CLIENTS = { ada: { token: "${ADA_TOKEN}" }, grace: { token: "grace-token" } };
const ENV = { ADA_TOKEN: "ada-token" };

test("with a token configured, every request but that for health needs one", async () => {
  const { origin } = await startHttp({ token: "secret" });
  for (const path of ["/mcp", "/", "/elsewhere"]) {
    expect(await sendRaw(origin, { path })).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
  }
  for (const authorization of [
    "Bearer wrong",
    "Bearer",
    "Bearer secret2",
    "Basic secret",
    "secret",
    "Bearer secret secret",
  ]) {
    const refused = await postMessage(origin, INITIALIZE, { authorization });
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } });
    expect(refused.text).toContain("The bearer token is not valid");
    expect(refused.text).not.toContain("secret");
  }
  expect((await postMessage(origin, INITIALIZE, { authorization: "bearer secret" })).status).toBe(200);
});

test("each client is known by its token, in both eras", async () => {
  const { url } = await startHttp({ token: "own-token", clients: CLIENTS }, {}, "0", ENV);
  const known = [
    ["ada-token", "ada"],
    ["grace-token", "grace"],
    ["own-token", "anonymous"],
  ] as const;
  for (const [token, name] of known) {
    expect(await ask(await connectLegacy(url, token), "whoami")).toBe(name);
    expect(await ask(await connectModern(url, token), "whoami")).toBe(name);
  }
});

test("if only clients have tokens, others are refused", async () => {
  const { origin } = await startHttp({ clients: CLIENTS }, {}, "0", ENV);
  expect(await postMessage(origin, INITIALIZE)).toMatchObject({ status: 401 });
});

test("a session belongs to the client that opened it", async () => {
  const { origin } = await startHttp({ clients: CLIENTS }, {}, "0", ENV);
  const opened = await postMessage(origin, INITIALIZE, bearer("ada-token"));
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  expect(await postMessage(origin, LIST_TOOLS, { ...session, ...bearer("grace-token") })).toMatchObject({
    status: 404,
  });
  const ended = await sendRaw(origin, { method: "DELETE", headers: { ...session, ...bearer("grace-token") } });
  expect(ended.status).toBe(404);
  expect(await postMessage(origin, LIST_TOOLS, { ...session, ...bearer("ada-token") })).toMatchObject({ status: 200 });
  expect(await postMessage(origin, LIST_TOOLS, session)).toMatchObject({ status: 401 });
});

test("what handles a request does not see its token", async () => {
  const { url } = await startHttp({ token: "own-token" });
  for (const client of [await connectLegacy(url, "own-token"), await connectModern(url, "own-token")]) {
    const headers = await ask(client, "headers");
    expect(headers).toContain("application/json");
    expect(headers).not.toMatch(/authorization|own-token/i);
  }
});

test("an internal error is reported to the operator, and to no client", async () => {
  const makeServer = () => Promise.reject(new Error("the disk is on fire"));
  const { origin, notes } = await startHttp({ token: "secret" }, { makeServer });
  const answer = await postMessage(origin, INITIALIZE, bearer("secret"));
  expect(answer).toMatchObject({ status: 500, text: expect.not.stringContaining("disk") });
  expect(notes.join("\n")).toContain("the disk is on fire");
  expect(notes.join("\n")).not.toContain("secret");
});
