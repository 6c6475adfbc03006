import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { readRequestFacts, reportRequest } from "../../serve/agent-server.ts";
import type { HostEvent } from "../../schemas/run/events.ts";

const OWN = `00-${"a".repeat(32)}-${"a".repeat(16)}-01`;
const HTTP = `00-${"b".repeat(32)}-${"b".repeat(16)}-00`;

function contextOf(meta: object, headers?: Record<string, string>): ServerContext {
  const http = headers === undefined ? {} : { http: { req: new Request("http://localhost/mcp", { headers }) } };
  return { mcpReq: { id: 7, _meta: meta }, ...http } as unknown as ServerContext;
}

const tracesOf = (meta: object, headers?: Record<string, string>) => {
  const { trace, httpTrace } = readRequestFacts(contextOf(meta, headers), "", undefined);
  return [trace?.traceparent, httpTrace?.traceparent];
};

test("a request is of the trace that it names, or of the trace of its HTTP request", () => {
  expect(tracesOf({ traceparent: OWN }, { traceparent: HTTP })).toEqual([OWN, HTTP]);
  expect(tracesOf({}, { traceparent: HTTP })).toEqual([HTTP, HTTP]);
  expect(tracesOf({ traceparent: "forged" }, { traceparent: `${HTTP}-more` })).toEqual([undefined, undefined]);
  expect(tracesOf({ traceparent: OWN })).toEqual([OWN, undefined]);
});

test("what is not known of a request is left out", () => {
  const arrivedAt = expect.any(Number) as number;
  expect(readRequestFacts(contextOf({}), "", undefined)).toEqual({ transport: "stdio", requestId: 7, arrivedAt });
  expect(readRequestFacts({ ...contextOf({}, {}), sessionId: "s" }, "alice", "2025-11-25")).toEqual({
    transport: "http",
    requestId: 7,
    arrivedAt,
    client: "alice",
    sessionId: "s",
    protocolVersion: "2025-11-25",
  });
});

test("every end of a request is reported, and answers and errors are passed on", async () => {
  const heard: HostEvent[] = [];
  const emit = (event: HostEvent): void => void heard.push(event);
  const events = { emit, open: () => emit };
  const request = { transport: "stdio", requestId: 7, arrivedAt: 0 } as const;
  const failing = { isError: true };
  expect(await reportRequest(events, request, async () => failing)).toBe(failing);
  const errors = [new ProtocolError(-32_602, "no such tool"), new Error("a mistake")];
  for (const error of errors) {
    await expect(reportRequest(events, request, () => Promise.reject(error))).rejects.toBe(error);
  }
  const ends = [{ isError: true }, { isError: false, rpcCode: -32_602 }, { isError: false, rpcCode: -32_603 }];
  const durationMs = expect.any(Number) as number;
  expect(heard).toEqual(
    ends.flatMap((end) => [
      { type: "request-started", request },
      { type: "request-ended", request, ...end, durationMs },
    ]),
  );
});

test("the trace that the host gives a request takes the place of its own", async () => {
  const [ours, own] = [{ traceparent: HTTP }, { traceparent: OWN }];
  const request = { transport: "stdio", requestId: 7, arrivedAt: 0, trace: own } as const;
  const traceIn = async (traceOf: () => typeof ours | undefined) => {
    const events = { emit: () => undefined, open: () => undefined, tracing: { traceOf, enter: () => undefined } };
    return reportRequest(events, request, async (trace) => ({ trace }));
  };
  expect(await traceIn(() => ours)).toEqual({ trace: ours });
  expect(await traceIn(() => undefined)).toEqual({ trace: own });
});

test("the end of a request says for which tool it was, and how its run failed after it was admitted", async () => {
  const heard: HostEvent[] = [];
  const emit = (event: HostEvent): void => void heard.push(event);
  const request = { transport: "stdio", requestId: 7, arrivedAt: 0 } as const;
  const endOf = async (...codes: string[]) => {
    await reportRequest({ emit, open: () => emit }, request, async (_trace, tell) => {
      tell?.({ type: "request-named", toolName: "run" });
      tell?.({ type: "request-failed", code: "QUEUE_FULL" });
      tell?.({ type: "request-admitted" });
      for (const code of codes) tell?.({ type: "request-failed", code });
      return {};
    });
    return heard.at(-1);
  };
  expect(await endOf()).toMatchObject({ type: "request-ended", toolName: "run", code: undefined });
  expect(await endOf("TYPE_ERROR")).toMatchObject({ type: "request-ended", toolName: "run", code: "TYPE_ERROR" });
});
