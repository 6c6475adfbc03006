import { expect, test } from "vitest";
import { INITIALIZE, LIST_TOOLS, postMessage, sendRaw } from "./send-raw.ts";
import { ask, connectLegacy, connectModern, failureOf, startHttp, until } from "./start-http.ts";

test("runs in flight end, others are sent away, and the probes say so", async () => {
  const { url, origin, diary, stop } = await startHttp();
  const clients = [await connectLegacy(url), await connectModern(url)];
  const opened = await postMessage(origin, INITIALIZE);
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  const runs = clients.map((client) => ask(client, "sleep", { ms: 500 }));
  await until(() => diary.started === 2);
  expect(await sendRaw(origin, { path: "/ready" })).toMatchObject({ status: 200 });
  const stopped = stop();
  const text = expect.stringContaining("closing");
  expect(await sendRaw(origin, { path: "/ready" })).toMatchObject({ status: 503, text });
  expect(await sendRaw(origin, { path: "/health" })).toMatchObject({ status: 200, text });
  expect(await postMessage(origin, LIST_TOOLS, session)).toMatchObject({
    status: 503,
    headers: { "retry-after": "1" },
  });
  expect(await Promise.all(runs)).toEqual(["slept 500", "slept 500"]);
  await stopped;
  await expect(sendRaw(origin, { path: "/health" })).rejects.toThrow("ECONNREFUSED");
  expect(diary.closed).toBe(diary.made);
});

test("a process that cannot be reached by the others is alive and not ready, and serves what comes", async () => {
  let isReady = true;
  const { url, origin } = await startHttp({}, { isReady: () => isReady });
  const client = await connectModern(url);
  expect(await sendRaw(origin, { path: "/ready" })).toMatchObject({ status: 200, text: expect.stringContaining("ok") });
  isReady = false;
  const text = expect.stringContaining("without-store");
  expect(await sendRaw(origin, { path: "/ready" })).toMatchObject({ status: 503, text });
  expect(await sendRaw(origin, { path: "/health" })).toMatchObject({ status: 200, text });
  expect(await ask(client, "sleep", { ms: 1 })).toBe("slept 1");
});

test("before it ends it serves for a while, and sends each connection elsewhere", async () => {
  const { url, origin, diary, stop } = await startHttp({}, { drainMs: () => 1500 });
  const client = await connectModern(url);
  const run = ask(client, "sleep", { ms: 2500 });
  await until(() => diary.started === 1);
  const stopped = stop();
  expect(await sendRaw(origin, { path: "/ready" })).toMatchObject({ status: 503, headers: { connection: "close" } });
  const opened = await postMessage(origin, INITIALIZE);
  expect(opened).toMatchObject({ status: 200, headers: { connection: "close" } });
  expect(await ask(client, "sleep", { ms: 10 })).toBe("slept 10");
  await expect.poll(async () => (await postMessage(origin, INITIALIZE)).status, { timeout: 5000 }).toBe(503);
  expect(await run).toBe("slept 2500");
  await stopped;
});

test("a run that takes too long is cancelled", async () => {
  const { url, diary, stop } = await startHttp({}, { limits: { endMs: 50 } });
  const clients = [await connectLegacy(url), await connectModern(url)];
  for (const client of clients) void ask(client, "wait").catch(() => undefined);
  await until(() => diary.started === 2);
  await stop();
  expect(diary.cancelled).toBe(2);
});

test("a run can be cancelled while the server waits for it", async () => {
  const { url, diary, stop } = await startHttp({}, { limits: { endMs: 60_000 } });
  const client = await connectLegacy(url);
  const cancelling = new AbortController();
  const run = client.callTool({ name: "wait" }, undefined, { signal: cancelling.signal });
  const failure = failureOf(run);
  await until(() => diary.started === 1);
  const stopped = stop();
  cancelling.abort();
  expect(await failure).toContain("AbortError");
  await stopped;
  expect(diary.cancelled).toBe(1);
});

test("streams that have no end of their own do not hold the server", async () => {
  const { url, stop } = await startHttp({}, { limits: { endMs: 60_000 } });
  // The client of the legacy era opens a stream when it connects; the modern one subscribes.
  await connectLegacy(url);
  const modern = await connectModern(url);
  const subscription = await modern.listen({ toolsListChanged: true });
  await stop();
  expect(await subscription.closed).not.toBe("local");
});
