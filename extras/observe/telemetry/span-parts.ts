import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import {
  type Attributes,
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { TraceContext } from "../../../schemas/run/trace-context.ts";
import type { TelemetryAttributes } from "./attributes.ts";

/** A context whose span belongs to a caller elsewhere; `base` without one. */
export function toContext(traceContext: TraceContext | undefined, base: Context = ROOT_CONTEXT): Context {
  return traceContext === undefined ? base : trace.setSpanContext(base, toSpanContext(traceContext));
}

/** The form has been checked. */
export function toSpanContext({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = "", spanId = "", flags = "0"] = traceparent.split("-");
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...withoutUndefined({ traceState: tracestate === undefined ? undefined : createTraceState(tracestate) }),
  };
}

/** In the form for other processes; undefined without a span. Baggage is left out. */
export function toTraceContext(span: SpanContext): TraceContext | undefined {
  if (!isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, "0");
  const tracestate = span.traceState?.serialize() ?? "";
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    tracestate: tracestate === "" ? undefined : tracestate,
  };
}

/** Leaves out error messages, which may quote arguments and results. */
export function fail(span: Span, code: string | undefined): void {
  if (code === undefined) return;
  span.setAttributes(toAttributes({ "error.type": code })).setStatus({ code: SpanStatusCode.ERROR });
}

/** To the API any name is one of an attribute; here only those of the table are. */
export function toAttributes(attributes: TelemetryAttributes): Attributes {
  return attributes;
}
