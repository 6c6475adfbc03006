import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Tracing } from "../../../schemas/run/events.ts";
import type { TraceContext } from "../../../schemas/run/trace-context.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

/** Without spans: passes the trace of a request unchanged to the calls of its run. */
export function makeTracePassing(ownTrace: TraceContext | undefined): Tracing {
  return {
    traceOf: () => undefined,
    enter: ({ trace = ownTrace }) => trace && { meta: toTraceMeta(trace), within: (send) => send() },
  };
}

/** The keys that MCP reserves for this in `_meta` (SEP-414). */
export function toTraceMeta({ traceparent, tracestate }: TraceContext): JsonObject {
  return { traceparent, ...withoutUndefined({ tracestate }) };
}
