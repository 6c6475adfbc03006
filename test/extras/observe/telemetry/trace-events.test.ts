import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { beforeEach, expect, test } from "vitest";
import { traceEvents } from "../../../../extras/observe/telemetry/trace-events.ts";
import type { EventOf, RequestFacts, RunFacts } from "../../../../schemas/run/events.ts";
import type { TraceContext } from "../../../../schemas/run/trace-context.ts";

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
beforeEach(() => {
  exporter.reset();
  trace.disable();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
});

const traceOf = (digit: string): TraceContext => ({ traceparent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01` });
const REQUEST: RequestFacts = { transport: "http", requestId: 1, arrivedAt: 0 };
const RUN: RunFacts = { runId: "run", origin: "cli", subject: { kind: "script", name: "script.ts" } };
const MADE = {
  ...{ serverId: "trips", toolName: "made up", number: 1, run: RUN },
  ...{ input: () => null, inputBytes: () => 4 },
};
const CALL: EventOf<"call-checked"> = { type: "call-checked", ...MADE };
const END: EventOf<"call-settled"> = {
  ...{ type: "call-settled", ...MADE, outcome: "refused" },
  code: "CapabilityError",
  durationMs: 1,
  result: () => undefined,
  resultBytes: () => 0,
};

const observe = (ownTrace?: TraceContext) => traceEvents(() => ({}), ownTrace, undefined);

/** Begins the call of a run. */
function startCall({ listener, tracing }: ReturnType<typeof observe>) {
  listener({ type: "run-started", run: RUN });
  listener(CALL);
  return tracing.enter(RUN, 1);
}

/** Answers a request, and gives its parent and what it is linked to. */
function answer(facts: RequestFacts): { parent: string | undefined; links: string[] } {
  const { listener } = observe();
  listener({ type: "request-started", request: facts });
  listener({ type: "request-ended", request: facts, isError: false, durationMs: 1 });
  const [span] = exporter.getFinishedSpans().slice(-1);
  return {
    parent: span?.parentSpanContext?.spanId,
    links: span?.links.map(({ context: linked }) => linked.spanId) ?? [],
  };
}

test("the parent of a request is what it says itself, and its HTTP request is linked", () => {
  const [own, http] = [traceOf("a"), traceOf("b")];
  expect(answer(REQUEST)).toEqual({ parent: undefined, links: [] });
  expect(answer({ ...REQUEST, trace: own, httpTrace: http })).toEqual({
    parent: "a".repeat(16),
    links: ["b".repeat(16)],
  });
  expect(answer({ ...REQUEST, trace: http, httpTrace: http })).toEqual({ parent: "b".repeat(16), links: [] });
});

test("where the user's instrumentation has a span for the HTTP request, it takes the place of its headers", () => {
  const http = trace.getTracer("http").startSpan("POST");
  const { spanId } = http.spanContext();
  context.with(trace.setSpan(context.active(), http), () => {
    expect(answer({ ...REQUEST, trace: traceOf("a"), httpTrace: traceOf("b") })).toEqual({
      parent: "a".repeat(16),
      links: [spanId],
    });
    expect(answer(REQUEST)).toEqual({ parent: spanId, links: [] });
  });
});

test("a trace that is not sampled stays so on its way to servers", () => {
  trace.disable();
  const sampler = new ParentBasedSampler({ root: new AlwaysOffSampler() });
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  const traces = observe();
  const call = startCall(traces);
  expect(call?.meta?.["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  traces.listener(END);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test("a tracer that makes no spans passes the trace context of the run on", () => {
  trace.disable();
  const own = { ...traceOf("c"), tracestate: "vendor=1" };
  expect(startCall(observe(own))?.meta).toEqual(own);
  expect(startCall(observe())?.meta).toBeUndefined();
});

test("what instrumentation of HTTP makes of a call stands below the call", async () => {
  const traces = observe();
  const answered = await startCall(traces)?.within(async () => {
    trace.getTracer("http").startSpan("POST").end();
    return "answer";
  });
  traces.listener(END);
  const [http, own] = exporter.getFinishedSpans();
  expect([answered, http?.parentSpanContext?.spanId]).toEqual(["answer", own?.spanContext().spanId]);
});

test("unlocked names name no span, and a call without a script is one span", () => {
  const { listener } = observe();
  const run: RunFacts = { ...RUN, subject: { kind: "call", serverId: "trips", toolName: "made up" } };
  listener({ type: "run-started", run });
  listener({ ...CALL, run });
  listener({ ...END, run });
  listener({
    ...{ type: "run-ended", run, ok: false },
    codes: ["CapabilityError"],
    durationMs: 1,
    calls: 1,
    resultBytes: () => 0,
    logBytes: () => 0,
  });
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(["tools/call"]);
  expect(JSON.stringify(spans[0]?.attributes)).not.toContain("made up");
  expect(spans[0]?.attributes).toMatchObject({
    "error.type": "CapabilityError",
    "codemode.call.outcome": "refused",
  });
});
