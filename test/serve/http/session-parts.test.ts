import type { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { LegacySessions } from "../../../serve/http/legacy-sessions.ts";
import { makeSessionId, type SessionState } from "../../../serve/http/session-id.ts";
import { INITIALIZE, LIST_TOOLS } from "./send-raw.ts";
import { makeDiary, makeStandIn } from "./stand-in-server.ts";

const FACTS: SessionState = {
  protocolVersion: "2025-11-25",
  elicitation: { form: true, url: false },
  clientName: "raw",
};
const newId = (facts = FACTS): string => makeSessionId(facts, "ada");

/** The sessions of one client, and what is answered to it. */
function openSessions(limits: { sessionIdleMs?: number; maxSessions?: number } = {}) {
  const diary = makeDiary();
  const servers: Server[] = [];
  const makeServer = async (): Promise<Server> => {
    const server = makeStandIn({ servers: [], policies: [], mayApprove: false }, diary);
    servers.push(server);
    return server;
  };
  const sessions = new LegacySessions("ada", makeServer, { sessionIdleMs: 60_000, maxSessions: 10, ...limits });
  onTestFinished(() => sessions.close());
  const send = async (method: string, id: string | undefined, message?: object, accept = "text/event-stream") => {
    const headers = new Headers({ accept: `application/json, ${accept}`, "content-type": "application/json" });
    if (id !== undefined) headers.set("mcp-session-id", id);
    const request = new Request("http://localhost/mcp", { method, headers });
    const answers: { status: number; headers: Headers; text: string }[] = [];
    await sessions.answer(request, message as never, async (response) => {
      answers.push({ status: response.status, headers: response.headers, text: await response.text() });
    });
    const [answer, ...others] = answers;
    if (answer === undefined || others.length > 0) throw new Error(`${answers.length} answers`);
    return answer;
  };
  return { sessions, send, servers, diary };
}

test.each<[SessionState["elicitation"], object]>([
  [{ form: false, url: false }, {}],
  [{ form: true, url: false }, { elicitation: { form: {} } }],
  [{ form: false, url: true }, { elicitation: { url: {} } }],
  [{ form: true, url: true }, { elicitation: { form: {}, url: {} } }],
])("the server of a session that comes back knows that its client can ask by %j", async (elicitation, capabilities) => {
  const { send, servers } = openSessions();
  const protocolVersion = "2025-06-18";
  expect(
    (await send("POST", newId({ protocolVersion, elicitation, clientName: "cursor-vscode" }), LIST_TOOLS)).status,
  ).toBe(200);
  expect(servers.map((server) => server.getClientCapabilities())).toEqual([capabilities]);
  expect(servers[0]?.getClientVersion()).toMatchObject({ name: "cursor-vscode" });
});

test("an id has one spelling: no other last letter, whose spare bits decoding ignores, opens its session", async () => {
  const { send } = openSessions();
  const id = newId();
  expect((await send("POST", id, LIST_TOOLS)).status).toBe(200);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".replace(id.at(-1) ?? "", "");
  const statuses = await Promise.all(
    Array.from(letters, async (letter) => (await send("POST", `${id.slice(0, -1)}${letter}`, LIST_TOOLS)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
});

test("a session is opened by its first message, and answered under its own id", async () => {
  const { send, sessions, diary } = openSessions();
  const missing = await send("POST", undefined, LIST_TOOLS);
  expect([missing.status, JSON.parse(missing.text)]).toEqual([
    400,
    { jsonrpc: "2.0", error: { code: -32_000, message: "Mcp-Session-Id is missing: send initialize first" }, id: null },
  ]);
  expect([sessions.size, diary.made]).toEqual([0, 0]);
  const opened = await send("POST", undefined, INITIALIZE);
  const id = opened.headers.get("mcp-session-id") ?? "";
  expect([opened.status, sessions.size]).toEqual([200, 1]);
  expect((await send("POST", id, LIST_TOOLS)).text).toContain("whoami");
  expect([sessions.size, diary.made]).toEqual([1, 1]);
});

test("a session that has ended is not found, though it never was in memory here", async () => {
  const { send, sessions } = openSessions();
  const [first, second, third] = [newId(), newId(), newId()];
  for (const id of [first, second]) expect((await send("DELETE", id)).status).toBe(200);
  expect(sessions.size).toBe(0);
  for (const id of [first, second]) {
    const refused = await send("POST", id, LIST_TOOLS);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      404,
      { jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null },
    ]);
  }
  expect((await send("POST", third, LIST_TOOLS)).status).toBe(200);
});

test("a session in memory is ended with its server", async () => {
  const { send, sessions, diary } = openSessions();
  const id = newId();
  await send("POST", id, LIST_TOOLS);
  expect((await send("DELETE", id)).status).toBe(200);
  expect([sessions.size, diary.closed]).toEqual([0, 1]);
});

test("a session is dropped when it was not used for as long as agreed, counted from its last use", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { send, sessions } = openSessions({ sessionIdleMs: 1000 });
  const id = newId();
  await send("POST", id, LIST_TOOLS);
  vi.advanceTimersByTime(900);
  await send("POST", id, { ...LIST_TOOLS, id: 3 });
  vi.advanceTimersByTime(900);
  expect(sessions.size).toBe(1);
  vi.advanceTimersByTime(600);
  await vi.waitUntil(() => sessions.size === 0);
  await sessions.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("of the sessions that are not in use the longest unused makes room", async () => {
  const { send, sessions, diary } = openSessions({ maxSessions: 2 });
  const [first, second, third] = [newId(), newId(), newId()];
  await send("POST", first, LIST_TOOLS);
  await send("POST", second, LIST_TOOLS);
  await send("POST", first, { ...LIST_TOOLS, id: 3 });
  await send("POST", third, LIST_TOOLS);
  expect([sessions.size, diary]).toMatchObject([2, { made: 3, closed: 1 }]);
  await send("POST", first, { ...LIST_TOOLS, id: 4 });
  expect(diary.made).toBe(3);
});

test("where all are in use there is no room, and it is said when there may be", async () => {
  const { send, sessions, diary } = openSessions({ maxSessions: 1 });
  const wait = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "wait", arguments: {} } };
  const waiting = send("POST", newId(), wait);
  await vi.waitUntil(() => diary.started === 1);
  const refused = await send("POST", newId(), LIST_TOOLS);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { message: "Too many sessions are in use" } });
  await sessions.close();
  await waiting;
});

const callOf = (id: number, name = "wait") => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: {} },
});
const cancelOf = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

test("a cancellation that is read before its call cancels it when it comes, and no other one", async () => {
  const { send, diary } = openSessions();
  const id = newId();
  expect((await send("POST", id, cancelOf(9))).status).toBe(202);
  // An id is of its type: "9" is another one.
  expect((await send("POST", id, cancelOf("8"))).status).toBe(202);
  expect((await send("POST", id, callOf(8, "count"))).text).toContain('"text":"1"');
  const answered = await send("POST", id, callOf(9));
  expect([answered.status, answered.text]).not.toMatchObject([200, expect.stringContaining("result")]);
  await vi.waitUntil(() => diary.cancelled === 1);
  // It has counted: the id is free again, as after each cancellation.
  expect((await send("POST", id, callOf(9, "count"))).text).toContain('"text":"2"');
});

test("a cancellation that comes after the answer of its call cancels no later call with the id", async () => {
  const { send } = openSessions();
  const id = newId();
  expect((await send("POST", id, callOf(9, "count"))).text).toContain('"text":"1"');
  await send("POST", id, cancelOf(9));
  expect((await send("POST", id, callOf(9, "count"))).text).toContain('"text":"2"');
});

test("a cancellation waits no longer for its call than calls are under way, and in each session for its own", async () => {
  const { send } = openSessions();
  const [id, other] = [newId(), newId()];
  await send("POST", id, cancelOf(9));
  expect((await send("POST", other, callOf(9, "count"))).text).toContain('"text":"1"');
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 11_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect((await send("POST", id, callOf(9, "count"))).text).toContain('"text":"1"');
});

test("a session whose server cannot be made is none, and its next request tries again", async () => {
  let fails = true;
  const diary = makeDiary();
  const makeServer = async (): Promise<Server> => {
    if (fails) throw new Error("no disk");
    return makeStandIn({ servers: [], policies: [], mayApprove: false }, diary);
  };
  const sessions = new LegacySessions("ada", makeServer, { sessionIdleMs: 60_000, maxSessions: 10 });
  onTestFinished(() => sessions.close());
  const statuses: number[] = [];
  const id = newId();
  const ask = () => {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": id,
    };
    const request = new Request("http://localhost/mcp", { method: "POST", headers });
    return sessions.answer(request, LIST_TOOLS as never, async ({ status }) => void statuses.push(status));
  };
  await expect(ask()).rejects.toThrow("no disk");
  expect(sessions.size).toBe(0);
  fails = false;
  await ask();
  expect([statuses, sessions.size]).toEqual([[200], 1]);
});
