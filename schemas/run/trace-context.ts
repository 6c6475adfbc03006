/** W3C trace context, its form checked. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string | undefined;
}

/** Version 00 of W3C Trace Context; neither id is all zeros. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Printable ASCII in the length that everybody passes on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The trace that a request is part of, as its `_meta` says; undefined where it says none, or no legal one. */
export function readTraceContext(meta: { [key: string]: unknown } | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = meta ?? {};
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  return typeof tracestate === "string" && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}
