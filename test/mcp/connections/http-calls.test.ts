import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallProgress } from "@codemode/runtime/connections/server-connection";
import { connectHttp, httpTarget, serve } from "./http-servers.ts";
import { contentOf, failureOf } from "./misbehaving.ts";
import { ODD_RESULTS } from "./odd-results.ts";

const MEBIBYTE = 1024 * 1024;

/** The forms in which a server may answer. What else may be wrong with an answer: `test/bindings/misbehaving-servers.test.ts`. */
const FORMS = [
  ["an old server, in a stream", []],
  ["an old server, as JSON", ["json"]],
  ["a modern server, in a stream", ["modern"]],
  ["a modern server, as JSON", ["modern", "json"]],
] as const;

// The era of a server has no part in how its messages are measured.
it.each([FORMS[0], FORMS[3]])("a result of %s may have 20 MB", async (_, habits) => {
  const connection = await connectHttp(httpTarget(await serve(...habits)));
  const bytes = 20 * MEBIBYTE;
  expect((contentOf(await connection.callTool("big", { bytes })) as string).length).toBe(bytes);
});

describe.each(FORMS)("a result of %s", (_, habits) => {
  it("comes as it was sent, unknown keys and isError included", async () => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    expect(await connection.callTool("raw", {})).toMatchObject({
      content: [{ type: "video", extra: 1 }],
      structuredContent: [1],
      isError: true,
      vendor: 1,
    });
  });

  it.each(ODD_RESULTS)("comes as it was sent with %s", async (_, result) => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    expect(await connection.callTool("return", result)).toMatchObject(result);
  });

  it("keeps __proto__ as data", async () => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    expect(Object.hasOwn(await connection.callTool("proto", {}), "__proto__")).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("is refused alone when it is over the limit", async () => {
    const narrow = await connectHttp(httpTarget(await serve(...habits)), { maxMessageBytes: MEBIBYTE });
    expect(await failureOf(narrow.callTool("big", { bytes: 3 * MEBIBYTE }))).toMatchObject({ kind: "too-large" });
    expect(contentOf(await narrow.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
  });

  it("lists odd tools exactly as they came", async () => {
    const server = await serve(...habits);
    const connection = await connectHttp(httpTarget(server));
    const { tools, serverInfo } = await connection.snapshot();
    expect(JSON.stringify(tools)).toBe(JSON.stringify(server.tools));
    expect(serverInfo).toEqual({ name: "misbehaving", version: "1", vendor: "kept" });
  });
});

describe.each([
  ["an old server", []],
  ["a modern server", ["modern"]],
])("a call of %s", (_, habits) => {
  it("is bounded in time, whether headers or the body are slow, and leaves no exchange open", async () => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    for (const tool of ["hang", "hang-in-body"]) {
      const failure = await failureOf(connection.callTool(tool, {}, { timeoutMs: 100 }));
      expect(failure).toMatchObject({
        kind: "timeout",
        message: `server "remote" did not answer the call of tool "${tool}" within 0.1 s`,
      });
    }
    expect(contentOf(await connection.callTool("late", { delayMs: 50 }))).toBe("late");
  });

  it("ends with the caller's signal, whose reason the server does not learn", async () => {
    const server = await serve(...habits);
    const connection = await connectHttp(httpTarget(server));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("a secret reason")), 50);
    expect((await failureOf(connection.callTool("hang", {}, { signal: controller.signal }))).kind).toBe("cancelled");
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
    const wasCancelled = () => server.received.some(({ message }) => message?.["method"] === "notifications/cancelled");
    const isOld = habits.length === 0; // the modern era ends the exchange instead
    await vi.waitFor(() => expect(wasCancelled()).toBe(isOld));
    expect(JSON.stringify(server.received)).not.toContain("secret");
  });

  it("reports all progress, even when it arrives at once with the result", async () => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    const reports: CallProgress[] = [];
    await connection.callTool("progress", { count: 100 }, { onProgress: (progress) => reports.push(progress) });
    expect(reports.map(({ progress }) => progress)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it.each([
    [404, habits.length === 0 ? "session-lost" : "http-error"],
    [429, "http-error"],
    [503, "http-error"],
  ])("that is refused with %i says so, and the next one works", async (status, kind) => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    expect(await failureOf(connection.callTool("status", { status }))).toMatchObject({ kind });
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
  });

  it("is kept apart from many others at the same time", async () => {
    const connection = await connectHttp(httpTarget(await serve(...habits)));
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(numbers.map((number) => connection.callTool("echo", { number })));
    expect(results.map(contentOf)).toEqual(numbers.map((number) => ({ number })));
  });
});

describe("an old server", () => {
  it("may take up an answer in another stream", async () => {
    const connection = await connectHttp(httpTarget(await serve()));
    expect(contentOf(await connection.callTool("resume-later", {}))).toBe("resumed");
  });

  it("may ask, and gets an answer", async () => {
    const connection = await connectHttp(httpTarget(await serve()));
    const answers = contentOf(await connection.callTool("ask-client", {})) as JsonObject[];
    expect(answers).toMatchObject([
      { id: "ping", result: {} },
      { id: "roots", error: { code: -32601 } },
    ]);
  });
});

describe("a modern server", () => {
  it("may want a second round of a call, and gets its state back", async () => {
    const connection = await connectHttp(httpTarget(await serve("modern")));
    expect(contentOf(await connection.callTool("two-rounds", {}))).toBe("two rounds");
  });
});

describe("a server that does not listen", () => {
  it("gets a hundred answers at a time and no more", async () => {
    const connection = await connectHttp(httpTarget(await serve()));
    expect(contentOf(await connection.callTool("ask-and-ask", {}))).toEqual({ underWay: 100 });
  });

  it("finds the stream of a call closed that was cancelled", async () => {
    const server = await serve();
    const connection = await connectHttp(httpTarget(server));
    const before = server.open.size;
    const cancellation = new AbortController();
    const call = connection.callTool("hang-in-body", {}, { signal: cancellation.signal });
    await vi.waitFor(() => expect(server.open.size).toBe(before + 1));
    cancellation.abort();
    expect(await failureOf(call)).toMatchObject({ kind: "cancelled" });
    await vi.waitFor(() => expect(server.open.size).toBe(before));
  });
});
