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
  expect(readRequestFacts(contextOf({}), "", undefined)).toEqual({ transport: "stdio", requestId: 7 });
  expect(readRequestFacts({ ...contextOf({}, {}), sessionId: "s" }, "alice", "2025-11-25")).toEqual({
    transport: "http",
    requestId: 7,
    client: "alice",
    sessionId: "s",
    protocolVersion: "2025-11-25",
  });
});

test("every end of a request is reported, and answers and errors are passed on", async () => {
  const heard: HostEvent[] = [];
  const emit = (event: HostEvent): void => void heard.push(event);
  const events = { emit, open: () => emit };
  const request = { transport: "stdio", requestId: 7 } as const;
  const failing = { isError: true };
  expect(await reportRequest(events, request, async () => failing)).toBe(failing);
  const errors = [new ProtocolError(-32_602, "no such tool"), new Error("a mistake")];
  for (const error of errors) {
    await expect(reportRequest(events, request, () => Promise.reject(error))).rejects.toBe(error);
  }
  const ends = [{ isError: true }, { isError: false, rpcCode: -32_602 }, { isError: false, rpcCode: -32_603 }];
  expect(heard).toEqual(
    ends.flatMap((end) => [
      { type: "request-started", request },
      { type: "request-ended", request, ...end },
    ]),
  );
});

test("the trace that the host gives a request takes the place of its own", async () => {
  const [ours, own] = [{ traceparent: HTTP }, { traceparent: OWN }];
  const request = { transport: "stdio", requestId: 7, trace: own } as const;
  const traceIn = async (traceOf: () => typeof ours | undefined) => {
    const events = { emit: () => undefined, open: () => undefined, tracing: { traceOf, enter: () => undefined } };
    return reportRequest(events, request, async (trace) => ({ trace }));
  };
  expect(await traceIn(() => ours)).toEqual({ trace: ours });
  expect(await traceIn(() => undefined)).toEqual({ trace: own });
});
