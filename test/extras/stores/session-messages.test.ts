import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { watchQuestions } from "../../../serve/http/legacy-session.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeSessionRelay } from "../../../extras/stores/session-relay.ts";
import { startRoundRobin } from "../../serve/http/round-robin.ts";
import { ask, connectLegacy, failureOf, startHttp, until } from "../../serve/http/start-http.ts";

const fail = (error: unknown): never => {
  throw error;
};

test("answers and cancellations of a session reach the replica that waits for them", async () => {
  const opened = { store: makeMemoryStore(), sealer: makeSealer("k".repeat(32)), onFailure: fail };
  const start = () => startHttp({}, { relayOf: () => makeSessionRelay(opened, "") });
  const replicas = [await start(), await start()];
  const client = await connectLegacy(await startRoundRobin(replicas.map(({ origin }) => origin)));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
  // The answer is a request of its own, which goes to the other replica.
  expect(await ask(client, "ask")).toBe("accept");
  expect(await Promise.all([ask(client, "ask"), ask(client, "ask")])).toEqual(["accept", "accept"]);

  const cancelling = new AbortController();
  const failure = failureOf(client.callTool({ name: "wait" }, undefined, { signal: cancelling.signal }));
  await until(() => replicas.reduce((sum, { diary }) => sum + diary.started, 0) === 4);
  cancelling.abort();
  expect(await failure).toContain("AbortError");
  await until(() => replicas.some(({ diary }) => diary.cancelled === 1));
});

test("no answer reaches the question of another replica that has the same number", () => {
  const [sent, received]: [JSONRPCMessage[], JSONRPCMessage[]] = [[], []];
  const makeTransport = (): Transport => ({
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => void sent.push(message),
    onmessage: (message: JSONRPCMessage) => void received.push(message),
  });
  const [one, other] = [makeTransport(), makeTransport()];
  const [first, second] = [watchQuestions("s", one, undefined), watchQuestions("s", other, undefined)];
  for (const transport of [one, other]) void transport.send({ jsonrpc: "2.0", id: 0, method: "elicitation/create" });
  const [asked, askedToo] = sent as { id: string }[];
  expect(asked?.id).not.toBe(askedToo?.id);
  const answer = { jsonrpc: "2.0", id: asked?.id ?? "", result: { action: "accept" } };
  expect(second.receive(answer)).toBeUndefined();
  expect(second.receive({ ...answer, id: 0 })).toBeUndefined();
  expect(first.receive(answer)).toEqual({ ...answer, id: 0 });
});

test("what no replica can wait for is not written into the store, and a client cannot fill it at once", async () => {
  const put: string[] = [];
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const store: RunStore = {
    ...makeMemoryStore(),
    put(name) {
      put.push(name);
      return finished;
    },
  };
  const relay = makeSessionRelay({ store, sealer: makeSealer("k".repeat(32)), onFailure: fail }, "");
  const transport: Transport = { start: async () => {}, close: async () => {}, send: async () => {} };
  const questions = watchQuestions("s", transport, relay);
  for (const id of ["", "x", "x".repeat(100_000), `${"x".repeat(12)}.`, `${"x".repeat(12)}.one`]) {
    expect(questions.receive({ jsonrpc: "2.0", id, result: {} })).toBeUndefined();
  }
  relay.send("s", "long", { text: "x".repeat(2 ** 20) });
  expect(put).toEqual([]);
  for (let id = 0; id < 2000; id += 1) questions.receive({ jsonrpc: "2.0", id: `${"x".repeat(12)}.${id}`, result: {} });
  expect(put).toHaveLength(1000);
  finish();
  await expect
    .poll(() => {
      relay.send("s", "later");
      return put.length;
    })
    .toBeGreaterThan(1000);
});
