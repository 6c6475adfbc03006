import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { type Context, context, type Span, SpanKind, trace, type Tracer } from "@opentelemetry/api";
import type {
  CallEnd,
  CallFacts,
  CallObservation,
  RunObservation,
  TraceContext,
} from "../../../schemas/run/observer.ts";
import { methodOfName } from "../../../schemas/lock/operations.ts";
import { type EndpointOf, shortName, type TelemetryAttributes } from "./attributes.ts";
import { toTraceMeta } from "./pass-trace-on.ts";
import type { PrintPayload } from "./print-payload.ts";
import { fail, toAttributes, toTraceContext } from "./span-parts.ts";

/** A longer one may still be text, and is not parsed for this. */
const MAX_RESULT_BYTES = 1024 * 1024;

export interface CallSpanOptions {
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
export function makeCallSpans(options: CallSpanOptions): NonNullable<RunObservation["callStarted"]> {
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
    ...withoutUndefined({ "gen_ai.tool.name": tool === undefined ? undefined : shortName(tool.name) }),
    ...(server === undefined
      ? {}
      : {
          "codemode.server.id": server.id,
          "mcp.protocol.version": server.protocolVersion,
          ...endpointOf(server.id),
        }),
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
