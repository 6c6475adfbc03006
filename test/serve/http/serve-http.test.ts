import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { ask, connectLegacy, connectModern, failureOf, startHttp, until } from "./start-http.ts";

test("clients of both eras are served at one address", async () => {
  const { url } = await startHttp();
  for (const client of [await connectLegacy(url), await connectModern(url)]) {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("whoami");
    expect(await ask(client, "whoami")).toBe("anonymous");
  }
});

test("a session is not seen by another one, and a modern request not by the next", async () => {
  const { url } = await startHttp();
  const [first, second, modern] = [await connectLegacy(url), await connectLegacy(url), await connectModern(url)];
  expect(await ask(first, "count")).toBe("1");
  expect(await ask(first, "count")).toBe("2");
  expect(await ask(second, "count")).toBe("1");
  expect(await ask(modern, "count")).toBe("1");
  expect(await ask(modern, "count")).toBe("1");
});

test("cancelling reaches a tool in the legacy era", async () => {
  const { url, diary } = await startHttp();
  const client = await connectLegacy(url);
  const cancelling = new AbortController();
  const call = client.callTool({ name: "wait" }, undefined, { signal: cancelling.signal });
  const failure = failureOf(call);
  await until(() => diary.started === 1);
  cancelling.abort();
  expect(await failure).toMatch(/abort/i);
  await until(() => diary.cancelled === 1);
  expect(await ask(client, "whoami")).toBe("anonymous");
});

test("cancelling reaches a tool in the modern era", async () => {
  const { url, diary } = await startHttp();
  const client = await connectModern(url);
  const cancelling = new AbortController();
  const call = client.callTool({ name: "wait" }, { signal: cancelling.signal });
  const failure = failureOf(call);
  await until(() => diary.started === 1);
  cancelling.abort();
  expect(await failure).toMatch(/abort/i);
  await until(() => diary.cancelled === 1);
  expect(await ask(client, "whoami")).toBe("anonymous");
});

test("the user of a client is asked in both eras", async () => {
  const { url } = await startHttp();
  const [legacy, modern] = [await connectLegacy(url), await connectModern(url)];
  legacy.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept" as const, content: {} }));
  modern.setRequestHandler("elicitation/create", () => ({ action: "decline" as const }));
  expect(await ask(legacy, "ask")).toBe("accept");
  expect(await ask(modern, "ask")).toBe("decline");
});

test("a request of the legacy era that is cancelled leaves no open response", async () => {
  const { url, diary, stop } = await startHttp({}, { limits: { endMs: 60_000 } });
  const client = await connectLegacy(url);
  const cancelling = new AbortController();
  const call = client.callTool({ name: "wait", arguments: {} }, undefined, { signal: cancelling.signal });
  const failure = failureOf(call);
  await until(() => diary.started === 1);
  cancelling.abort();
  expect(await failure).toMatch(/abort/i);
  // It would wait for the run otherwise.
  await stop();
  expect(diary.closed).toBe(diary.made);
});

test("a modern request is cancelled when its client goes", async () => {
  const { url, diary } = await startHttp();
  const client = await connectModern(url);
  const failure = failureOf(client.callTool({ name: "wait" }));
  await until(() => diary.started === 1);
  await client.close();
  expect(await failure).toContain("closed");
  await until(() => diary.cancelled === 1);
});

test("a modern client is notified of changed tools", async () => {
  const listeners = new Set<() => void>();
  const watchTools = (_: unknown, onChange: () => void) => {
    listeners.add(onChange);
    return () => void listeners.delete(onChange);
  };
  const { url, stop } = await startHttp({}, { watchTools });
  const client = await connectModern(url);
  const changed = new Promise((resolve) => client.setNotificationHandler("notifications/tools/list_changed", resolve));
  await client.listen({ toolsListChanged: true });
  for (const listener of listeners) listener();
  await changed;
  await client.close();
  await stop();
  expect(listeners.size).toBe(0);
});
