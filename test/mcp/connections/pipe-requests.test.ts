import { describe, expect, test } from "vitest";
import { makeConnectionFailures } from "../../../runtime/mcp/client/connection-failures.ts";
import { PipeRequests } from "../../../runtime/mcp/client/wire/pipe-requests.ts";
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

function setUp() {
  const sent: JsonObject[] = [];
  const requests = new PipeRequests((message) => void sent.push(message), failures);
  const idOf = (index: number): number => sent[index]?.["id"] as number;
  return { requests, sent, idOf };
}

const METHOD = "tools/call";

describe("requests beside the SDK's client", () => {
  test("are answered by their ids, in any order, with results untouched", async () => {
    const { requests, sent, idOf } = setUp();
    const first = requests.start(METHOD, { name: "a" });
    const second = requests.start(METHOD, { name: "b" });
    expect(sent[0]).toEqual({ jsonrpc: "2.0", id: idOf(0), method: METHOD, params: { name: "a" } });
    const result = { odd: 1, content: null };
    expect(requests.receive({ jsonrpc: "2.0", id: idOf(1), result })).toBe(true);
    expect(requests.receive({ jsonrpc: "2.0", id: idOf(0), error: { code: -32602, message: "no" } })).toBe(true);
    expect(await second.answer).toBe(result);
    await expect(first.answer).rejects.toMatchObject({ code: -32602, message: "no" });
  });

  test("leave to the client what is not theirs, and let no second or late answer through to it", async () => {
    const { requests, idOf } = setUp();
    const { answer } = requests.start(METHOD, {});
    for (const id of [0, idOf(0) + 1, "x", null]) expect(requests.receive({ id, result: {} })).toBe(false);
    expect(requests.receive({ method: "notifications/message", params: {} })).toBe(false);
    expect(requests.receive({ method: "ping", id: idOf(0), params: {} })).toBe(false);
    expect(requests.receive({ id: idOf(0), result: { n: 1 } })).toBe(true);
    expect(requests.receive({ id: idOf(0), result: { n: 2 } })).toBe(true);
    expect(await answer).toEqual({ n: 1 });
  });

  test("hear of progress by their token until they are answered", async () => {
    const { requests, sent, idOf } = setUp();
    const reports: unknown[] = [];
    const { answer } = requests.start(METHOD, { _meta: { trace: "t" } }, (report) => reports.push(report));
    expect(sent[0]?.["params"]).toEqual({ _meta: { trace: "t", progressToken: idOf(0) } });
    const report = (params: JsonObject) =>
      requests.receive({ method: "notifications/progress", params: { progressToken: idOf(0), ...params } });
    expect(report({ progress: 1, total: "2", message: "half", other: 3 })).toBe(true);
    expect(report({ progress: "2" })).toBe(true);
    requests.receive({ id: idOf(0), result: {} });
    expect(report({ progress: 3 })).toBe(false);
    await answer;
    expect(reports).toEqual([{ progress: 1, message: "half" }]);
  });

  test("are cancelled once, and not after their answer", async () => {
    const { requests, sent, idOf } = setUp();
    const open = requests.start(METHOD, {});
    open.cancel("timed out");
    open.cancel("again");
    await expect(open.answer).rejects.toThrow("timed out");
    const ended = requests.start(METHOD, {});
    requests.receive({ id: idOf(2), result: {} });
    ended.cancel("late");
    await ended.answer;
    expect(sent.filter(({ method }) => method === "notifications/cancelled")).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: idOf(0), reason: "timed out" } },
    ]);
  });

  test("fail with the reason of the connection's end", async () => {
    const { requests } = setUp();
    const open = requests.start(METHOD, {});
    const reason = failures.closed("closed-by-us");
    requests.close(reason);
    await expect(open.answer).rejects.toBe(reason);
  });
});
