import { describe, expect, test } from "vitest";
import { makeConnectionFailures } from "../../../runtime/mcp/client/connection-failures.ts";
import { RpcError } from "../../../runtime/mcp/client/wire/json-rpc.ts";
import { JsonRpcPeer, type PeerHandlers } from "../../../runtime/mcp/client/wire/json-rpc-peer.ts";
import type { MessageTransport } from "../../../runtime/mcp/client/wire/message-transport.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

const failures = makeConnectionFailures({
  id: "s",
  name: "s",
  transport: "stdio",
  command: "s",
  cwd: "/",
  args: [],
  env: {},
  timeoutMs: 1,
});

const NO_HANDLERS: PeerHandlers = { answer: async () => ({}), notified: () => undefined };

function setUp(handlers: Partial<PeerHandlers> = {}) {
  const sent: JsonObject[] = [];
  const abandoned: unknown[] = [];
  const transport: MessageTransport = {
    kind: "stdio",
    ending: failures.closed("closed-by-us"),
    endedByServer: false,
    start: async () => undefined,
    close: async () => undefined,
    markReady: () => undefined,
    explainFailedStart: () => failures.interrupted(),
    send: async (message) => void sent.push(message),
  };
  const peer = new JsonRpcPeer(transport, failures, { ...NO_HANDLERS, ...handlers });
  return {
    ...{ peer, sent, transport, abandoned },
    idOf: (index: number): number => sent[index]?.["id"] as number,
    receive: (kind: "request" | "response" | "notification", message: JsonObject) =>
      transport.onmessage?.({ kind, message }),
  };
}

const METHOD = "tools/call";

describe("requests", () => {
  test("are answered by their ids, in any order, with results untouched", async () => {
    const { peer, sent, idOf, receive } = setUp();
    const first = peer.request(METHOD, { name: "a" });
    const second = peer.request(METHOD, { name: "b" });
    expect(sent[0]).toEqual({ jsonrpc: "2.0", id: idOf(0), method: METHOD, params: { name: "a" } });
    const result = { odd: 1, content: null };
    receive("response", { id: idOf(1), result });
    receive("response", { id: idOf(0), error: { code: -32602, message: "no", data: 1 } });
    expect(await second.answer).toBe(result);
    await expect(first.answer).rejects.toMatchObject({ code: -32602, message: "no", data: 1 });
  });

  test("are not answered twice, late, or under an id that is none of theirs", async () => {
    const { peer, idOf, receive } = setUp();
    const { answer } = peer.request(METHOD, {});
    for (const id of [idOf(0) + 1, "x"]) receive("response", { id, result: {} });
    receive("response", { id: idOf(0), result: { n: 1 } });
    receive("response", { id: idOf(0), result: { n: 2 } });
    expect(await answer).toEqual({ n: 1 });
  });

  test("fail where their answer cannot be used", async () => {
    const { peer, transport, idOf, receive } = setUp();
    const failing = [1, 2, 3].map(() => peer.request(METHOD, {}).answer.catch((error: unknown) => error));
    receive("response", { id: String(idOf(0)), result: {} });
    transport.onmessage?.({ kind: "broken", id: idOf(1), problem: "an answer without a result object" });
    const failure = failures.tooLarge(2, 1);
    transport.onmessage?.({ kind: "failed", id: idOf(2), failure });
    const [otherId, broken, tooLarge] = await Promise.all(failing);
    expect(otherId).toMatchObject({ message: expect.stringContaining(`under the id "${idOf(0)}"`) });
    expect(broken).toMatchObject({ kind: "protocol", message: expect.stringContaining("without a result object") });
    expect(tooLarge).toBe(failure);
  });

  test("fail where they cannot be sent, and with the reason of the connection's end", async () => {
    const { peer, transport } = setUp();
    const open = peer.request(METHOD, {});
    transport.onclose?.();
    await expect(open.answer).rejects.toBe(transport.ending);
    const reason = new Error("unreachable");
    transport.send = () => Promise.reject(reason);
    await expect(peer.request(METHOD, {}).answer).rejects.toBe(reason);
  });

  test("report progress by their token until they are answered", async () => {
    const { peer, sent, idOf, receive } = setUp();
    const reports: unknown[] = [];
    const onProgress = (report: unknown): void => {
      reports.push(report);
      throw new Error("a listener that fails");
    };
    const { answer } = peer.request(METHOD, { _meta: { trace: "t" } }, { onProgress });
    expect(sent[0]?.["params"]).toEqual({ _meta: { trace: "t", progressToken: idOf(0) } });
    const report = (params: JsonObject) =>
      receive("notification", { method: "notifications/progress", params: { progressToken: idOf(0), ...params } });
    report({ progress: 1, total: "2", message: "half", other: 3 });
    report({ progress: "2" });
    receive("response", { id: idOf(0), result: {} });
    report({ progress: 3 });
    await answer;
    expect(reports).toEqual([{ progress: 1, message: "half" }]);
  });

  test("are cancelled once, and not after their answer", async () => {
    const { peer, sent, idOf, receive } = setUp();
    const open = peer.request(METHOD, {});
    open.cancel("timed out");
    open.cancel("again");
    await expect(open.answer).rejects.toThrow("timed out");
    const ended = peer.request(METHOD, {});
    receive("response", { id: idOf(2), result: {} });
    ended.cancel("late");
    await ended.answer;
    expect(sent.filter(({ method }) => method === "notifications/cancelled")).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: idOf(0), reason: "timed out" } },
    ]);
  });

  test("have the envelope in their _meta in the modern era, and end by their stream where they have one", async () => {
    const { peer, sent, transport, abandoned } = setUp();
    peer.useEnvelope({ version: "x" });
    const overPipe = peer.request(METHOD, { _meta: { trace: "t" } });
    overPipe.cancel("timed out");
    expect(sent).toMatchObject([
      { params: { _meta: { version: "x", trace: "t" } } },
      { method: "notifications/cancelled", params: { _meta: { version: "x" } } },
    ]);
    transport.abandon = (id) => void abandoned.push(id);
    const overHttp = peer.request(METHOD, {}, { id: "listen:1" });
    overHttp.cancel("timed out");
    expect(sent).toHaveLength(3);
    expect(abandoned).toEqual(["listen:1"]);
    await expect(Promise.all([overPipe.answer, overHttp.answer])).rejects.toThrow("timed out");
    await expect(overHttp.answer).rejects.toThrow("timed out");
  });
});

describe("requests of the server", () => {
  const ask = (id: number, method: string): JsonObject => ({ id, method, params: {} });

  test("are answered or refused", async () => {
    const { sent, receive, transport } = setUp({
      answer: async (method) => {
        if (method === "odd") throw new RpcError(-32601, "unknown");
        if (method === "bug") throw new Error("oh");
        return { method };
      },
    });
    ["ping", "roots/list", "odd", "bug"].forEach((method, id) => receive("request", ask(id, method)));
    transport.onmessage?.({ kind: "refused", id: 9, problem: "params must be an object" });
    await expect.poll(() => sent).toHaveLength(5);
    expect(sent.toSorted((a, b) => Number(a["id"]) - Number(b["id"]))).toEqual([
      { jsonrpc: "2.0", id: 0, result: {} },
      { jsonrpc: "2.0", id: 1, result: { method: "roots/list" } },
      { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "unknown" } },
      { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "oh" } },
      { jsonrpc: "2.0", id: 9, error: { code: -32600, message: "params must be an object" } },
    ]);
  });

  test("are taken back by the server and by the end of the connection, and get no answer then", async () => {
    const signals: AbortSignal[] = [];
    const { sent, receive, transport } = setUp({
      answer: (_, __, signal) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({})));
      },
    });
    receive("request", ask(1, "elicitation/create"));
    receive("request", ask(2, "elicitation/create"));
    receive("notification", { method: "notifications/cancelled", params: { requestId: 1 } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    transport.onclose?.();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });

  test("are passed over in the modern era", async () => {
    const { peer, sent, receive } = setUp();
    peer.useEnvelope({});
    receive("request", ask(1, "ping"));
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });
});
