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
  Observer,
  RequestFacts,
  RequestObservation,
  RunFacts,
  RunObservation,
  TraceContext,
  CallEnd,
  CallFacts,
  CallObservation,
} from "../../../schemas/run/observer.ts";
import { VERSION } from "../../../schemas/version.ts";
import { bundleDigest } from "../digests.ts";
import { type EndpointOf, shortName, type TelemetryAttributes } from "./attributes.ts";
import { fail, toAttributes, toContext, toSpanContext, toTraceContext } from "./span-parts.ts";
import { SPANS } from "./spans.ts";
import { methodOfName } from "../../../schemas/lock/operations.ts";
import { toTraceMeta } from "./pass-trace-on.ts";
import type { PrintPayload } from "./print-payload.ts";

export interface TraceObserverOptions extends Pick<CallSpanOptions, "printPayload"> {
  endpointOf: EndpointOf;
  /** Of the parent process, for runs without a request. */
  ownTrace: TraceContext | undefined;
}

/** Makes spans by the semantic conventions for MCP, with the SDK that the user has registered. */
export function makeTraceObserver({ endpointOf, ownTrace, printPayload }: TraceObserverOptions): Observer {
  const tracer = trace.getTracer("codemode", VERSION);
  /** Of open requests, by the trace context that their runs get. */
  const open = new WeakMap<TraceContext, Context>();

  const startRequest = (facts: RequestFacts): RequestObservation => {
    const parent = facts.trace === undefined ? context.active() : toContext(facts.trace, context.active());
    const links = ambientLinks(facts);
    const attributes = toAttributes(requestAttributes(facts));
    const span = tracer.startSpan("tools/call", { kind: SpanKind.SERVER, attributes, links }, parent);
    const traceContext = toTraceContext(span.spanContext());
    if (traceContext !== undefined) open.set(traceContext, trace.setSpan(parent, span));
    return { trace: traceContext, ...observeRequest(span) };
  };

  const startRun = (facts: RunFacts): RunObservation => {
    const traceContext = facts.trace ?? ownTrace;
    const request = facts.trace === undefined ? undefined : open.get(facts.trace);
    const parent = request ?? toContext(traceContext, context.active());
    // A call without a script is one span, the call's.
    const attributes = toAttributes(runAttributes(facts));
    const span = facts.subject.kind === "script" ? tracer.startSpan(SPANS.run.name, { attributes }, parent) : undefined;
    const calls = makeCallSpans({
      tracer,
      endpointOf,
      printPayload,
      parent: span === undefined ? parent : trace.setSpan(parent, span),
      runId: facts.runId,
      fallback: traceContext,
    });
    return {
      bundled({ bundle }) {
        span?.addEvent("codemode.bundled");
        if (span?.isRecording()) span.setAttributes(toAttributes({ "codemode.bundle.digest": bundleDigest(bundle) }));
      },
      reviewed({ verdict }) {
        span?.addEvent("codemode.reviewed", toAttributes({ "codemode.review.verdict": verdict }));
      },
      scriptStarted: () => void span?.addEvent("codemode.script_started"),
      scriptEnded: () => void span?.addEvent("codemode.script_ended"),
      limitHit: (limit) => void span?.addEvent("codemode.limit_hit", toAttributes({ "codemode.limit": limit })),
      callStarted: calls,
      ended({ codes, calls: count, resultBytes, logBytes }) {
        if (span === undefined) return;
        if (span.isRecording()) {
          span.setAttributes(
            toAttributes({
              "codemode.run.calls": count,
              "codemode.run.result.bytes": resultBytes(),
              "codemode.run.log.bytes": logBytes(),
              ...withoutUndefined({ "codemode.run.diagnostics": codes.length === 0 ? undefined : [...codes] }),
            }),
          );
        }
        fail(span, codes[0]);
        span.end();
      },
    };
  };
  return { requestStarted: startRequest, runStarted: startRun };
}

function observeRequest(span: Span): RequestObservation {
  const startedAt = performance.now();
  let failure: string | undefined;
  return {
    admitted() {
      failure = undefined;
      const seconds = (performance.now() - startedAt) / 1000;
      span.addEvent("codemode.admitted", toAttributes({ "codemode.queue.wait": seconds }));
    },
    failed: (code) => void (failure = code),
    named(toolName) {
      const name = shortName(toolName);
      span.updateName(`tools/call ${name}`).setAttributes(toAttributes({ "gen_ai.tool.name": name }));
    },
    ended({ isError, rpcCode }) {
      if (rpcCode !== undefined) {
        failure = String(rpcCode);
        span.setAttributes(toAttributes({ "rpc.response.status_code": failure }));
      }
      fail(span, failure ?? (isError ? "tool_error" : undefined));
      span.end();
    },
  };
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

/** A longer one may still be text, and is not parsed for this. */
const MAX_RESULT_BYTES = 1024 * 1024;

interface CallSpanOptions {
  tracer: Tracer;
  endpointOf: EndpointOf;
  /** Set if spans contain arguments and results. */
  printPayload: PrintPayload | undefined;
  parent: Context;
  runId: string;
  /** The trace context for servers without a span: the tracer may not create spans. */
  fallback: TraceContext | undefined;
}

/** Makes a span for each call of a run, and tells the server that its own are below it. */
function makeCallSpans(options: CallSpanOptions): NonNullable<RunObservation["callStarted"]> {
  const { tracer, parent, printPayload } = options;
  return (facts): CallObservation => {
    // What a script calls that there is not can have any name.
    const method = methodOfName(facts.tool?.name ?? "");
    const name = facts.tool === undefined ? method : `${method} ${shortName(facts.tool.name)}`;
    const attributes = toAttributes(callAttributes(facts, options));
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const traceContext = toTraceContext(span.spanContext()) ?? options.fallback;
    return {
      meta: traceContext === undefined ? undefined : toTraceMeta(traceContext),
      // Spans of HTTP that the user's instrumentation makes stand below this one.
      within: (send) => context.with(trace.setSpan(parent, span), send),
      ended(end) {
        try {
          if (span.isRecording()) describeEnd(span, end, facts, printPayload);
        } finally {
          span.end();
        }
      },
    };
  };
}

function callAttributes(facts: CallFacts, { endpointOf, runId }: CallSpanOptions): TelemetryAttributes {
  const { server, tool, number } = facts;
  return {
    "mcp.method.name": methodOfName(tool?.name ?? ""),
    "gen_ai.operation.name": "execute_tool",
    "codemode.run.id": runId,
    "codemode.call.number": number,
    ...withoutUndefined({
      "gen_ai.tool.name": tool && shortName(tool.name),
      "codemode.server.id": server?.id,
      "mcp.protocol.version": server?.protocolVersion,
    }),
    ...(server && endpointOf(server.id)),
  };
}

function describeEnd(span: Span, end: CallEnd, facts: CallFacts, printPayload: PrintPayload | undefined): void {
  const { outcome, rpcCode, code } = end;
  const failure = rpcCode === undefined ? (code ?? outcome) : String(rpcCode);
  span.setAttributes(
    toAttributes({
      "codemode.call.outcome": outcome,
      "codemode.call.input.bytes": facts.inputBytes(),
      "codemode.call.result.bytes": end.resultBytes(),
      ...withoutUndefined({ "rpc.response.status_code": rpcCode === undefined ? undefined : String(rpcCode) }),
    }),
  );
  fail(span, outcome === "ok" || outcome === "skipped" ? undefined : failure);
  if (printPayload === undefined) return;
  span.setAttributes(toAttributes({ "gen_ai.tool.call.arguments": printPayload(facts.input()) }));
  const result = end.resultBytes() > MAX_RESULT_BYTES ? undefined : end.result();
  if (result !== undefined) span.setAttributes(toAttributes({ "gen_ai.tool.call.result": printPayload(result) }));
}
