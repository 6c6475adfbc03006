import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  SpanKind,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type {
  CallTracing,
  EventOf,
  HostEvent,
  RequestEvent,
  RequestFacts,
  RunEvent,
  RunFacts,
  Tracing,
} from "../../../schemas/run/events.ts";
import type { TraceContext } from "../../../schemas/run/trace-context.ts";
import { VERSION } from "../../../schemas/version.ts";
import { bundleDigest } from "../digests.ts";
import { type EndpointOf, shortName, type TelemetryAttributes } from "./attributes.ts";
import { fail, toAttributes, toContext, toSpanContext, toTraceContext } from "./span-parts.ts";
import { SPANS } from "./spans.ts";
import { methodOfName } from "../../../schemas/lock/operations.ts";
import { toTraceMeta } from "./pass-trace-on.ts";
import type { PrintPayload } from "./print-payload.ts";

/** What makes spans of events, and what puts requests into them. */
export interface EventTraces {
  listener: (event: HostEvent) => void;
  tracing: Tracing;
}

/**
 * Makes spans by the semantic conventions for MCP, with the SDK that the user has registered.
 * @param ownTrace of the parent process, for runs without a request
 * @param printPayload set if spans contain arguments and results
 */
export function traceEvents(
  endpointOf: EndpointOf,
  ownTrace: TraceContext | undefined,
  printPayload: PrintPayload | undefined,
): EventTraces {
  const tracer = trace.getTracer("codemode", VERSION);
  const requests = makeRequestSpans(tracer);
  const runs = makeRunSpans(tracer, endpointOf, ownTrace, printPayload, requests.contextOf);
  return {
    listener(event) {
      if ("run" in event) runs.hear(event);
      else if ("request" in event) requests.hear(event);
    },
    tracing: { traceOf: requests.traceOf, enter: runs.enter },
  };
}

function makeRequestSpans(tracer: Tracer) {
  const spans = new WeakMap<RequestFacts, Span>();
  const traceContexts = new WeakMap<RequestFacts, TraceContext>();
  /** By the trace context that the runs of a request get. */
  const contexts = new WeakMap<TraceContext, Context>();
  const start = (request: RequestFacts): void => {
    const parent = request.trace === undefined ? context.active() : toContext(request.trace, context.active());
    const links = ambientLinks(request);
    const attributes = toAttributes(requestAttributes(request));
    const span = tracer.startSpan("tools/call", { kind: SpanKind.SERVER, attributes, links }, parent);
    spans.set(request, span);
    const traceContext = toTraceContext(span.spanContext());
    if (traceContext === undefined) return;
    traceContexts.set(request, traceContext);
    contexts.set(traceContext, trace.setSpan(parent, span));
  };
  return {
    contextOf: (of: TraceContext): Context | undefined => contexts.get(of),
    traceOf: (request: RequestFacts): TraceContext | undefined => traceContexts.get(request),
    hear(event: RequestEvent & { request: RequestFacts }): void {
      if (event.type === "request-started") return start(event.request);
      const span = spans.get(event.request);
      if (span !== undefined) traceRequestEvent(event, span);
    },
  };
}

function traceRequestEvent(event: RequestEvent & { request: RequestFacts }, span: Span): void {
  switch (event.type) {
    case "request-admitted": {
      const seconds = (performance.now() - event.request.arrivedAt) / 1000;
      span.addEvent("codemode.admitted", toAttributes({ "codemode.queue.wait": seconds }));
      return;
    }
    case "request-named": {
      const name = shortName(event.toolName);
      span.updateName(`tools/call ${name}`).setAttributes(toAttributes({ "gen_ai.tool.name": name }));
      return;
    }
    case "request-ended": {
      const { code, isError, rpcCode } = event;
      const status = rpcCode === undefined ? undefined : String(rpcCode);
      if (status !== undefined) span.setAttributes(toAttributes({ "rpc.response.status_code": status }));
      fail(span, status ?? code ?? (isError ? "tool_error" : undefined));
      span.end();
    }
  }
}

function requestAttributes(facts: RequestFacts): TelemetryAttributes {
  const { requestId, sessionId, protocolVersion, client, transport } = facts;
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "jsonrpc.request.id": shortName(String(requestId)),
    "network.transport": transport === "stdio" ? "pipe" : "tcp",
    ...withoutUndefined({
      "network.protocol.name": transport === "http" ? "http" : undefined,
      "mcp.session.id": sessionId,
      "mcp.protocol.version": protocolVersion,
      "codemode.client": client,
    }),
  };
}

function runAttributes({ runId, origin, client, subject, key }: RunFacts): TelemetryAttributes {
  const savedAs = subject.kind === "script" ? subject.savedAs : undefined;
  return {
    "codemode.run.id": runId,
    "codemode.run.origin": origin,
    ...withoutUndefined({
      "codemode.run.key": key,
      "codemode.client": client,
      "codemode.script.name": savedAs === undefined ? undefined : shortName(savedAs),
    }),
  };
}

/** One HTTP request can carry many MCP requests, so its span is no parent where the request itself names one (conventions for MCP). */
function ambientLinks({ trace: traceContext, httpTrace }: RequestFacts): Link[] {
  if (traceContext === undefined || traceContext === httpTrace) return [];
  const active = trace.getSpanContext(context.active());
  const ambient = active ?? (httpTrace === undefined ? undefined : toSpanContext(httpTrace));
  return ambient === undefined || !isSpanContextValid(ambient) ? [] : [{ context: ambient }];
}

/** A run that is traced. A call without a script is one span, the call's. */
interface TracedRun {
  span: Span | undefined;
  /** Of the spans of its calls. */
  parent: Context;
  /** For servers where a call has no span: the tracer may not create any. */
  fallback: TraceContext | undefined;
  /** By the numbers of the calls that are not settled. */
  calls: Map<number, Span>;
}

function makeRunSpans(
  tracer: Tracer,
  endpointOf: EndpointOf,
  ownTrace: TraceContext | undefined,
  printPayload: PrintPayload | undefined,
  contextOf: (of: TraceContext) => Context | undefined,
) {
  const runs = new WeakMap<RunFacts, TracedRun>();
  const start = (run: RunFacts): void => {
    const fallback = run.trace ?? ownTrace;
    const request = run.trace === undefined ? undefined : contextOf(run.trace);
    const parent = request ?? toContext(fallback, context.active());
    const attributes = toAttributes(runAttributes(run));
    const span = run.subject.kind === "script" ? tracer.startSpan(SPANS.run.name, { attributes }, parent) : undefined;
    const ofCalls = span === undefined ? parent : trace.setSpan(parent, span);
    runs.set(run, { span, parent: ofCalls, fallback, calls: new Map() });
  };
  const startCall = (checked: EventOf<"call-checked">, { parent, calls }: TracedRun): void => {
    // What a script calls that there is not can have any name.
    const method = methodOfName(checked.tool?.name ?? "");
    const name = checked.tool === undefined ? method : `${method} ${shortName(checked.tool.name)}`;
    const attributes = toAttributes(callAttributes(checked, endpointOf));
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    calls.set(checked.number, span);
  };
  const endCall = (end: EventOf<"call-settled">, { calls }: TracedRun): void => {
    const span = calls.get(end.number);
    if (span === undefined) return;
    calls.delete(end.number);
    try {
      if (span.isRecording()) describeEnd(span, end, printPayload);
    } finally {
      span.end();
    }
  };
  return {
    hear(event: RunEvent & { run: RunFacts }): void {
      if (event.type === "run-started") return start(event.run);
      const traced = runs.get(event.run);
      if (traced === undefined) return;
      if (event.type === "call-checked") return startCall(event, traced);
      if (event.type === "call-settled") return endCall(event, traced);
      if (traced.span !== undefined) traceRunEvent(event, traced.span);
    },
    /** Tells the server that its own spans are below the call's. */
    enter(run: RunFacts, number: number): CallTracing | undefined {
      const { calls, parent, fallback } = runs.get(run) ?? {};
      const span = calls?.get(number);
      if (span === undefined || parent === undefined) return undefined;
      const traceContext = toTraceContext(span.spanContext()) ?? fallback;
      return {
        meta: traceContext === undefined ? undefined : toTraceMeta(traceContext),
        // Spans of HTTP that the user's instrumentation makes stand below this one.
        within: (send) => context.with(trace.setSpan(parent, span), send),
      };
    },
  };
}

/** What the span of a script's run says. */
function traceRunEvent(event: RunEvent, span: Span): void {
  switch (event.type) {
    case "bundled":
      span.addEvent("codemode.bundled");
      if (span.isRecording())
        span.setAttributes(toAttributes({ "codemode.bundle.digest": bundleDigest(event.bundle) }));
      return;
    case "reviewed":
      span.addEvent("codemode.reviewed", toAttributes({ "codemode.review.verdict": event.verdict }));
      return;
    case "script-started":
      span.addEvent("codemode.script_started");
      return;
    case "script-ended":
      span.addEvent("codemode.script_ended");
      for (const limit of event.limits) span.addEvent("codemode.limit_hit", toAttributes({ "codemode.limit": limit }));
      return;
    case "run-ended": {
      const { codes, calls, resultBytes, logBytes } = event;
      if (span.isRecording()) {
        span.setAttributes(
          toAttributes({
            "codemode.run.calls": calls,
            "codemode.run.result.bytes": resultBytes(),
            "codemode.run.log.bytes": logBytes(),
            ...withoutUndefined({ "codemode.run.diagnostics": codes.length === 0 ? undefined : [...codes] }),
          }),
        );
      }
      fail(span, codes[0]);
      span.end();
    }
  }
}

/** A longer one may still be text, and is not parsed for this. */
const MAX_RESULT_BYTES = 1024 * 1024;

function callAttributes(
  { run, server, tool, number }: EventOf<"call-checked">,
  endpointOf: EndpointOf,
): TelemetryAttributes {
  return {
    "mcp.method.name": methodOfName(tool?.name ?? ""),
    "gen_ai.operation.name": "execute_tool",
    "codemode.run.id": run.runId,
    "codemode.call.number": number,
    ...withoutUndefined({
      "gen_ai.tool.name": tool && shortName(tool.name),
      "codemode.server.id": server?.id,
      "mcp.protocol.version": server?.protocolVersion,
    }),
    ...(server && endpointOf(server.id)),
  };
}

function describeEnd(span: Span, end: EventOf<"call-settled">, printPayload: PrintPayload | undefined): void {
  const { outcome, rpcCode, code } = end;
  const failure = rpcCode === undefined ? (code ?? outcome) : String(rpcCode);
  span.setAttributes(
    toAttributes({
      "codemode.call.outcome": outcome,
      "codemode.call.input.bytes": end.inputBytes(),
      "codemode.call.result.bytes": end.resultBytes(),
      ...withoutUndefined({ "rpc.response.status_code": rpcCode === undefined ? undefined : String(rpcCode) }),
    }),
  );
  fail(span, outcome === "ok" || outcome === "skipped" ? undefined : failure);
  if (printPayload === undefined) return;
  span.setAttributes(toAttributes({ "gen_ai.tool.call.arguments": printPayload(end.input()) }));
  const result = end.resultBytes() > MAX_RESULT_BYTES ? undefined : end.result();
  if (result !== undefined) span.setAttributes(toAttributes({ "gen_ai.tool.call.result": printPayload(result) }));
}
