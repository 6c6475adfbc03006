import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallProgress } from "@codemode/runtime/connections/server-connection";
import { connect, contentOf, failureOf, misbehaving, shareConnection } from "./misbehaving.ts";
import { ODD_RESULTS } from "./odd-results.ts";

const MEBIBYTE = 1024 * 1024;

const shared = shareConnection(() => misbehaving([]));

describe("the result of a call", () => {
  const narrow = shareConnection(() => misbehaving([]), { maxMessageBytes: MEBIBYTE });

  it("comes as it was sent, unknown keys and isError included", async () => {
    const connection = shared();
    expect(await connection.callTool("raw", {})).toEqual({
      content: [{ type: "video", extra: 1 }],
      structuredContent: [1],
      isError: true,
      vendor: 1,
    });
  });

  it.each(ODD_RESULTS)("comes as it was sent with %s", async (_, result) => {
    const connection = shared();
    expect(await connection.callTool("return", result)).toEqual(result);
  });

  it("keeps __proto__ as data, in both directions", async () => {
    const connection = shared();
    const result = await connection.callTool("proto", {});
    expect(Object.hasOwn(result, "__proto__")).toBe(true);
    expect(Object.hasOwn(result["structuredContent"] as object, "__proto__")).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const input = JSON.parse('{"__proto__":{"a":1}}') as JsonObject;
    expect(JSON.stringify(contentOf(await connection.callTool("echo", input)))).toBe('{"__proto__":{"a":1}}');
  });

  it("leaves out the arguments of a call without input", async () => {
    const connection = shared();
    expect(contentOf(await connection.callTool("echo", undefined))).toBe("nothing");
  });

  it("may have 20 MB", async () => {
    const connection = shared();
    const bytes = 20 * MEBIBYTE;
    expect((contentOf(await connection.callTool("big", { bytes })) as string).length).toBe(bytes);
  });

  it.each(["big", "big-id-last"])("fails its own call alone when it is over the limit (%s)", async (tool) => {
    const connection = narrow();
    const other = connection.callTool("late", { delayMs: 100 });
    expect(await failureOf(connection.callTool(tool, { bytes: 3 * MEBIBYTE }))).toMatchObject({
      kind: "too-large",
      message: expect.stringMatching(/sent a message of 31\d{5} bytes, the limit is 1048576/),
    });
    expect(contentOf(await other)).toBe("late");
    expect((contentOf(await connection.callTool("big", { bytes: 1_000_000 })) as string).length).toBe(1_000_000);
  });

  it("is an error with its code where the server sends one; the message is masked and one line", async () => {
    const connection = await connect(misbehaving([], { env: { TOKEN: "hunter-2" } }));
    expect(await failureOf(connection.callTool("rpc-error", {}))).toMatchObject({
      kind: "rpc-error",
      code: -32000,
      message: 'server "test" refused the call of tool "rpc-error" with error -32000: boom [redacted: TOKEN] red',
    });
    expect(await failureOf(connection.callTool("odd-error", {}))).toMatchObject({ kind: "rpc-error", code: -32603 });
  });
});

describe("the time of a call", () => {
  it("is limited; the server is notified, and a late answer has no effect", async () => {
    const connection = await connect(misbehaving([]));
    const failure = await failureOf(connection.callTool("late", { delayMs: 300 }, { timeoutMs: 100 }));
    expect(failure).toMatchObject({
      kind: "timeout",
      message: 'server "test" did not answer the call of tool "late" within 0.1 s',
    });
    expect(contentOf(await connection.callTool("late", { delayMs: 400 }))).toBe("late");
    const received = contentOf(await connection.callTool("received", {})) as JsonObject[];
    expect(received.filter(({ method }) => method === "notifications/cancelled")).toHaveLength(1);
  });

  it("ends with the caller's signal, whose reason the server does not learn", async () => {
    const connection = await connect(misbehaving([]));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("a secret reason")), 50);
    const failure = await failureOf(connection.callTool("hang", {}, { signal: controller.signal }));
    expect(failure.kind).toBe("cancelled");
    expect(await failureOf(connection.callTool("hang", {}, { signal: controller.signal }))).toMatchObject({
      kind: "cancelled",
    });
    const received = JSON.stringify(contentOf(await connection.callTool("received", {})));
    expect(received).toContain("notifications/cancelled");
    expect(received).not.toContain("secret");
  });

  it("may be longer than a timer of Node can count", async () => {
    const connection = await connect(misbehaving([], { timeoutMs: 2 ** 40 }));
    expect(contentOf(await connection.callTool("late", { delayMs: 50 }))).toBe("late");
  });
});

describe("what a server sends beside results", () => {
  it.each([
    ["at once with the result", false],
    ["as one batch with the result", true],
  ])("is progress, each report of it, even when all arrives %s", async (_, batch) => {
    const connection = shared();
    const reports: CallProgress[] = [];
    await connection.callTool("progress", { count: 100, batch }, { onProgress: (progress) => reports.push(progress) });
    expect(reports.map(({ progress }) => progress)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(reports[0]).toEqual({ progress: 1, total: 100 });
  });

  it("is list changes, undamped, until the listener leaves", async () => {
    const connection = shared();
    let changes = 0;
    const stop = connection.onToolsChanged(() => (changes += 1));
    await connection.callTool("change-burst", {});
    expect(changes).toBe(10);
    stop();
    await connection.callTool("change-burst", {});
    expect(changes).toBe(10);
  });

  it("is requests, each of which gets an answer", async () => {
    const connection = shared();
    const answers = contentOf(await connection.callTool("ask-client", {})) as {
      id: string;
      error?: { code: number };
    }[];
    const codes = Object.fromEntries(answers.map(({ id, error }) => [id, error?.code ?? "answered"]));
    expect(codes).toEqual({
      roots: -32601,
      sampling: -32601,
      elicitation: "answered",
      unknown: -32601,
      "bad-meta": -32601,
      "array-params": -32600,
      ping: "answered",
    });
  });
});

describe("a server that ends in the middle of a call", () => {
  it.each([
    ["crash", { message: 'server "test" exited with code 3', exitCode: 3 }],
    ["kill-itself", { message: 'server "test" was ended by SIGKILL', exitSignal: "SIGKILL" }],
    ["close-stdout", { message: 'server "test" closed its output' }],
  ])("fails all that is in flight and all that comes later (%s)", async (tool, fields) => {
    const connection = await connect(misbehaving([]));
    const inFlight = failureOf(connection.callTool("hang", {}));
    const failure = await failureOf(connection.callTool(tool, {}));
    expect(failure).toMatchObject({ kind: "closed", ...fields });
    expect((await inFlight).message).toBe(failure.message);
    expect((await failureOf(connection.callTool("echo", {}))).message).toBe(failure.message);
    expect((await failureOf(connection.snapshot())).kind).toBe("closed");
  });

  it("may close its input alone", async () => {
    const connection = await connect(misbehaving([]));
    await connection.callTool("close-stdin", {});
    const failure = await failureOf(connection.callTool("echo", { text: "x".repeat(1_000_000) }));
    expect(failure).toMatchObject({ kind: "closed", message: 'server "test" closed its input' });
    expect(connection.ending).toBe(failure);
  });

  it("may ask without end and never listen: the answers do not pile up", async () => {
    const connection = await connect(misbehaving([]));
    const questions = 100_000;
    const { answers } = contentOf(await connection.callTool("ask-without-listening", { questions })) as JsonObject;
    expect(answers).toBeGreaterThan(0);
    expect(answers).toBeLessThan(questions / 10);
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
  });

  it("may also stop listening: calls still time out, and many waiting senders are one listener", async () => {
    const connection = await connect(misbehaving([]));
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    await connection.callTool("deaf", {});
    const text = "x".repeat(100_000);
    const calls = Array.from({ length: 30 }, () => connection.callTool("echo", { text }, { timeoutMs: 200 }));
    const outcomes = await Promise.all(calls.map(failureOf));
    expect(outcomes.every(({ kind }) => kind === "timeout")).toBe(true);
    process.removeListener("warning", note);
    expect(warnings).toEqual([]);
  });
});

it("keeps many calls at a time apart", async () => {
  const connection = shared();
  const numbers = Array.from({ length: 500 }, (_, index) => index);
  const results = await Promise.all(numbers.map((number) => connection.callTool("echo", { number })));
  expect(results.map(contentOf)).toEqual(numbers.map((number) => ({ number })));
});

describe("what a failure says", () => {
  it("is the protocol, where the answer has the number of the request as text", async () => {
    const connection = shared();
    expect(await failureOf(connection.callTool("other-type-of-id", {}))).toMatchObject({
      kind: "protocol",
      message: expect.stringMatching(/it answers the request (\d+) under the id "\1"$/),
    });
  });

  it("is that the tool needs another client, where the server asks for one", async () => {
    const connection = shared();
    expect(await failureOf(connection.callTool("rpc-elicitation", {}))).toMatchObject({
      hint: "This tool needs a client that offers elicitation; it cannot be used from scripts.",
    });
  });

  it("is what the server said, where it does not list its tools", async () => {
    const connection = await connect(misbehaving(["refuse-list"]));
    expect(await failureOf(connection.snapshot())).toMatchObject({
      message: 'server "test" refused tools/list with error -32603: set ACCESS_TOKEN first',
      hint: expect.stringContaining("The server's own words say what it needs"),
    });
  });
});

describe("the time of a call", () => {
  it("begins again with each report of progress, and not without one", async () => {
    const connection = shared();
    const steps = { steps: 8, stepMs: 200 };
    expect(contentOf(await connection.callTool("steps", steps, { timeoutMs: 1_000 }))).toBe("done");
    expect(
      await failureOf(connection.callTool("steps", { ...steps, quiet: true }, { timeoutMs: 1_000 })),
    ).toMatchObject({
      kind: "timeout",
      limit: 1_000,
    });
  });

  it("has an end for a server that reports progress for ever", async () => {
    const connection = shared();
    // The time between two reports is nearly the whole, so that a busy machine cannot end the call for silence.
    const call = connection.callTool("steps", { steps: 1e6, stepMs: 50 }, { timeoutMs: 590, maxTotalMs: 600 });
    expect(await failureOf(call)).toMatchObject({
      kind: "timeout",
      limit: 600,
      message: expect.stringContaining("within 0.6 s"),
    });
  });
});
