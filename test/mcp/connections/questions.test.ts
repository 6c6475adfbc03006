import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { CallListener, ServerLog } from "@codemode/runtime/connections/call-listener";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { connectHttp, httpTarget, serve } from "./http-servers.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { connect, contentOf, failureOf, misbehaving, shareConnection } from "./misbehaving.ts";

const QUESTION: JsonObject = { message: "Who?", requestedSchema: { type: "object", properties: {} } };

/** A person who answers after a while, and notes what was asked, also in a file. */
function personWho(
  action: string,
  afterMs = 0,
  file?: string,
): CallListener & { asked: JsonObject[]; signals: AbortSignal[] } {
  const asked: JsonObject[] = [];
  const signals: AbortSignal[] = [];
  return {
    ...{ person: asked, asked, signals },
    async elicit(params, signal) {
      asked.push(params);
      signals.push(signal);
      if (file !== undefined) await writeFile(file, "");
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      return { action, content: { name: "Ada" } };
    },
  };
}

/** What the server got as the answer to its question, as soon as it has it. */
async function answerTo(id: string, connection: Awaited<ReturnType<typeof connect>>): Promise<unknown> {
  let answer: unknown;
  await vi.waitFor(async () => {
    const received = contentOf(await connection.callTool("received", {})) as { id?: unknown; result?: unknown }[];
    answer = received.find((message) => message.id === id)?.result;
    expect(answer).toBeDefined();
  });
  return answer;
}

describe("a question in the middle of a call", () => {
  const shared = shareConnection(() => misbehaving([]));

  it("reaches the person of the call, whose time stands still meanwhile", async () => {
    const connection = shared();
    const listener = personWho("accept", 1_300);
    const result = await connection.callTool("ask", { questions: [QUESTION] }, { listener, timeoutMs: 1_000 });
    expect(contentOf(result)).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    expect(listener.asked).toEqual([QUESTION]);
  });

  it("is declined where a call has no person, and where it comes after the call", async () => {
    const connection = await connect(misbehaving([]));
    const declined = { action: "decline" };
    expect(contentOf(await connection.callTool("ask", { questions: [QUESTION] }))).toEqual([declined]);
    const listener = personWho("accept");
    await connection.callTool("ask-after-answer", { question: QUESTION }, { listener });
    expect(await answerTo("late", connection)).toEqual(declined);
    expect(listener.asked).toEqual([]);
  });

  it("is declined after its run has ended", async () => {
    const connection = await connect(misbehaving([]));
    const listener = personWho("accept");
    const ending = new AbortController();
    const call = connection.callTool("ask-after-cancel", { question: QUESTION }, { listener, signal: ending.signal });
    const failing = failureOf(call);
    ending.abort();
    expect(await failing).toMatchObject({ kind: "cancelled" });
    expect(await answerTo("late", connection)).toEqual({ action: "decline" });
    expect(listener.asked).toEqual([]);
  });

  it("is taken back when the server no longer waits for it", async () => {
    const connection = shared();
    const until = join(await makeTestFolder(), "asked");
    const listener = personWho("accept", 200, until);
    await connection.callTool("ask-and-answer", { question: QUESTION, until }, { listener });
    expect(listener.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("reaches no one while calls of two people are under way: it may be another's", async () => {
    const connection = shared();
    const [one, other] = [personWho("accept"), personWho("accept")];
    const slow = connection.callTool("late", { delayMs: 500 }, { listener: other });
    const result = await connection.callTool("ask", { questions: [QUESTION] }, { listener: one });
    expect(contentOf(result)).toEqual([{ action: "decline" }]);
    expect([...one.asked, ...other.asked]).toEqual([]);
    await slow;
  });

  it("may be that a page has to be opened before the call is made again", async () => {
    const connection = shared();
    const listener = personWho("accept");
    const url = "https://host.example/login";
    expect(contentOf(await connection.callTool("open-page-first", { url }, { listener }))).toBe("opened");
    expect(listener.asked).toMatchObject([{ mode: "url", url }]);
  });

  it("is a result of the call in the modern era, which is made again with the answer", async () => {
    const connection = await connectHttp(httpTarget(await serve("modern")));
    const slow = personWho("accept", 1_300);
    const result = await connection.callTool("ask-person", {}, { listener: slow, timeoutMs: 1_000 });
    expect(contentOf(result)).toEqual({ password: { action: "accept", content: { name: "Ada" } } });
    expect(contentOf(await connection.callTool("ask-person", {}))).toEqual({ password: { action: "decline" } });
    const listener = personWho("accept");
    expect(await failureOf(connection.callTool("ask-for-ever", {}, { listener }))).toMatchObject({
      kind: "protocol",
      message: expect.stringContaining("it asked for input 10 times"),
    });
    expect(await failureOf(connection.callTool("ask-too-much", {}, { listener }))).toMatchObject({
      message: expect.stringContaining("it asks for 11 inputs at once"),
    });
  });
});

describe("what else a server asks its client for", () => {
  it("is answered for roots, with the folders of the configuration, and refused for sampling", async () => {
    const connection = await connect(misbehaving([], { roots: ["/srv/some data"] }));
    expect((await connection.snapshot()).clientCapabilities).toEqual({ elicitation: { form: {}, url: {} }, roots: {} });
    const answers = contentOf(await connection.callTool("ask-client", {})) as JsonObject[];
    const answerOf = (id: string) => answers.find((answer) => answer["id"] === id);
    expect(answerOf("roots")).toMatchObject({
      result: { roots: [{ uri: "file:///srv/some%20data", name: "some data" }] },
    });
    expect(answerOf("sampling")).toMatchObject({
      error: { code: -32601, message: "codemode does not offer sampling: it has no model to ask." },
    });
  });
});

describe("what a server logs", () => {
  it("is passed on line by line, and not in a flood", async () => {
    const heard: ServerLog[] = [];
    const connection = await connect(misbehaving([]), { onLog: (message) => heard.push(message) });
    const own: ServerLog[] = [];
    const listener = { ...personWho("accept"), log: (message: ServerLog) => own.push(message) };
    await connection.callTool("log-burst", { count: 2_000 }, { listener });
    expect(heard.length).toBeGreaterThanOrEqual(100);
    expect(heard.length).toBeLessThan(500);
    expect(heard[0]).toEqual({ level: "info", text: "x: line 0" });
    expect(own).toEqual(heard);
  });
});
