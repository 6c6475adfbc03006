import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Observer, TraceContext } from "../../../schemas/run/observer.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

/** Without spans: passes the trace of a request unchanged to the calls of its run. */
export function makeTracePassing(ownTrace: TraceContext | undefined): Observer {
  return {
    runStarted({ trace = ownTrace }) {
      if (trace === undefined) return undefined;
      const call = { meta: toTraceMeta(trace) };
      return { callStarted: () => call };
    },
  };
}

/** The keys that MCP reserves for this in `_meta` (SEP-414). */
export function toTraceMeta({ traceparent, tracestate }: TraceContext): JsonObject {
  return { traceparent, ...withoutUndefined({ tracestate }) };
}
