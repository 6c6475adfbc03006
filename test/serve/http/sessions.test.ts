import { expect, test } from "vitest";
import { LegacySessions } from "../../../serve/http/legacy-sessions.ts";
import { makeSessionId, parseSessionId, toSessionFacts } from "../../../serve/http/session-id.ts";
import { startRoundRobin } from "./round-robin.ts";
import { INITIALIZE, LIST_TOOLS, postMessage, sendRaw } from "./send-raw.ts";
import { ask, connectLegacy, connectModern, startHttp, until } from "./start-http.ts";
import { makeDiary, makeStandIn } from "./stand-in-server.ts";

async function openSession(origin: string): Promise<{ "mcp-session-id": string }> {
  const opened = await postMessage(origin, INITIALIZE);
  return { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
}

test("replicas stand behind a load balancer that knows nothing of sessions", async () => {
  const replicas = [await startHttp(), await startHttp(), await startHttp()];
  const url = await startRoundRobin(replicas.map(({ origin }) => origin));
  const [legacy, modern] = [await connectLegacy(url), await connectModern(url)];
  for (let round = 0; round < 6; round += 1) {
    expect((await legacy.listTools()).tools).toHaveLength(6);
    expect(await ask(legacy, "whoami")).toBe("anonymous");
    expect(await ask(modern, "whoami")).toBe("anonymous");
  }
  for (const { diary } of replicas) expect(diary.made).toBeGreaterThan(0);
});

test("requests at the same time bring a session back once", async () => {
  const [first, second] = [await startHttp(), await startHttp()];
  const session = await openSession(first.origin);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((id) => postMessage(second.origin, { ...LIST_TOOLS, id }, session)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(second.diary.made).toBe(1);
});

test("a session that comes back still knows how its client can ask", async () => {
  const [first, second] = [await startHttp(), await startHttp({}, { limits: { endMs: 0 } })];
  const elicitation = { ...INITIALIZE.params, capabilities: { elicitation: {} } };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "ask", arguments: {} } };
  const able = await postMessage(first.origin, { ...INITIALIZE, params: elicitation });
  const unable = await postMessage(second.origin, call, await openSession(first.origin));
  expect(unable.text).toContain("does not support");
  void postMessage(second.origin, call, { "mcp-session-id": String(able.headers["mcp-session-id"]) }).catch(() => {});
  // It waits for the answer of the user.
  await until(() => second.diary.started === 2);
});

test("an ended session is over, and a forged id is unknown", async () => {
  const { origin } = await startHttp();
  const session = await openSession(origin);
  expect((await sendRaw(origin, { method: "DELETE", headers: session })).status).toBe(200);
  expect((await postMessage(origin, LIST_TOOLS, session)).status).toBe(404);
  const id = (await openSession(origin))["mcp-session-id"];
  const forged = [
    "x",
    id.slice(1),
    `${id}x`,
    id.replace("2025-11-25", "2025-06-18"),
    `${id} `.toUpperCase(),
    "../../etc",
  ];
  for (const wrong of forged) {
    expect([wrong, (await postMessage(origin, LIST_TOOLS, { "mcp-session-id": wrong })).status]).toEqual([wrong, 404]);
  }
  expect((await postMessage(origin, LIST_TOOLS)).status).toBe(400);
});

test("a replica that never saw a session can end it", async () => {
  const [first, second] = [await startHttp(), await startHttp()];
  const session = await openSession(first.origin);
  expect((await sendRaw(second.origin, { method: "DELETE", headers: session })).status).toBe(200);
  expect((await postMessage(second.origin, LIST_TOOLS, session)).status).toBe(404);
  expect(second.diary.made).toBe(0);
});

test("an unused session is dropped, and its next request is answered", async () => {
  const { url, diary } = await startHttp({}, { limits: { sessionIdleMs: 20 } });
  const session = await openSession(url.origin);
  await until(() => diary.closed === 1);
  expect((await postMessage(url.origin, LIST_TOOLS, session)).status).toBe(200);
});

test("a session is not dropped while its client waits for an answer or listens", async () => {
  const { origin, url } = await startHttp({}, { limits: { sessionIdleMs: 20 } });
  const listening = new AbortController();
  const headers = { ...(await openSession(origin)), accept: "text/event-stream" };
  const stream = await fetch(url, { headers, signal: listening.signal });
  const heard = stream.text().then(() => "ended", String);
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "sleep", arguments: { ms: 300 } } };
  expect((await postMessage(origin, call, await openSession(origin))).text).toContain("slept 300");
  listening.abort();
  expect(await heard).toContain("AbortError");
});

const SLEEP = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "sleep", arguments: { ms: 300 } } };

test("a request with the id of one that has no answer yet is refused, and the first one is answered", async () => {
  const { origin, diary } = await startHttp();
  const session = await openSession(origin);
  const first = postMessage(origin, SLEEP, session);
  await until(() => diary.started === 1);
  const second = await postMessage(origin, { ...LIST_TOOLS, id: 7 }, session);
  expect(second.status).toBe(400);
  expect(JSON.parse(second.text)).toMatchObject({ id: null, error: { code: -32_600 } });
  // Another id is, like the same one in another session, or as a text.
  expect((await postMessage(origin, { ...LIST_TOOLS, id: "7" }, session)).status).toBe(200);
  expect((await postMessage(origin, { ...LIST_TOOLS, id: 7 }, await openSession(origin))).status).toBe(200);
  expect((await first).text).toContain("slept 300");
  expect((await postMessage(origin, { ...LIST_TOOLS, id: 7 }, session)).text).toContain("whoami");
});

test("an id is free again when its request was cancelled or refused", async () => {
  const { origin, diary } = await startHttp();
  const session = await openSession(origin);
  const wait = { ...SLEEP, params: { name: "wait", arguments: {} } };
  const waiting = postMessage(origin, wait, session);
  await until(() => diary.started === 1);
  await postMessage(origin, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }, session);
  await waiting;
  expect((await postMessage(origin, { ...LIST_TOOLS, id: 7 }, session)).status).toBe(200);
  expect((await postMessage(origin, LIST_TOOLS, { ...session, accept: "text/html" })).status).toBe(406);
  expect((await postMessage(origin, LIST_TOOLS, session)).status).toBe(200);
});

test("there are never more sessions than agreed, and the longest unused goes first", async () => {
  const diary = makeDiary();
  const sessions = new LegacySessions(
    undefined,
    () => Promise.resolve(makeStandIn({ servers: [], policies: [], mayApprove: false }, diary)),
    { sessionIdleMs: 60_000, maxSessions: 2 },
  );
  const send = (id: string) => async (response: Response) =>
    void (answers[id] = [response.status, await response.text()]);
  const answers: Record<string, [number, string]> = {};
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const post = (name: string, id: string, message: object) =>
    sessions.answer(
      new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, "mcp-session-id": id } }),
      message as never,
      send(name),
    );
  const ids = [1, 2, 3].map(() => makeSessionId(toSessionFacts(INITIALIZE.params), undefined));
  for (const id of ids) await post(id, id, LIST_TOOLS);
  expect(sessions.size).toBe(2);
  expect(diary).toMatchObject({ made: 3, closed: 1 });

  const wait = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "wait", arguments: {} } };
  const busy = [post("first", ids[1] as string, wait), post("second", ids[2] as string, wait)];
  await until(() => diary.started === 2);
  await post("refused", ids[0] as string, LIST_TOOLS);
  expect(answers["refused"]).toMatchObject([503, expect.stringContaining("Too many sessions")]);
  await sessions.close();
  await Promise.all(busy);
  expect(sessions.size).toBe(0);
});

test("an id carries what its session is made from, for one client", () => {
  const every = [
    [
      { protocolVersion: "2025-03-26", capabilities: {} },
      { form: false, url: false },
    ],
    [
      { protocolVersion: "2025-06-18", capabilities: { elicitation: {} } },
      { form: true, url: false },
    ],
    [
      { protocolVersion: "2025-11-25", capabilities: { elicitation: { form: {} } } },
      { form: true, url: false },
    ],
    [
      { protocolVersion: "2025-11-25", capabilities: { elicitation: { url: {} } } },
      { form: false, url: true },
    ],
    [
      { protocolVersion: "2025-11-25", capabilities: { elicitation: { form: {}, url: {} } } },
      { form: true, url: true },
    ],
  ] as const;
  for (const [params, elicitation] of every) {
    const id = makeSessionId(toSessionFacts(params), "ada");
    expect(parseSessionId(id, "ada")).toMatchObject({ protocolVersion: params.protocolVersion, elicitation });
    expect(parseSessionId(id, "grace")).toBeUndefined();
    expect(parseSessionId(id, undefined)).toBeUndefined();
    // As the protocol wants it: visible ASCII.
    expect(id).toMatch(/^[\x21-\x7e]+$/);
  }
  expect(toSessionFacts({ protocolVersion: "1999-01-01" }).protocolVersion).toBe("2025-11-25");
});
