import type { RunOrigin, Tracing } from "../../../schemas/run/events.ts";
import { type TraceContext, readTraceContext } from "../../../schemas/run/trace-context.ts";
import type { ConfiguredObservers } from "../../../engine/observers.ts";
import type { HostListener } from "../../../engine/open/host-settings.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { makeEndpoints } from "./attributes.ts";
import type { PrintPayload } from "./print-payload.ts";
import { makeTracePassing } from "./pass-trace-on.ts";

/** Loads nothing without a registered SDK and without a metrics address. */
export async function openTelemetry(config: Config, origin: RunOrigin): Promise<ConfiguredObservers> {
  const found = findTelemetry();
  const ownTrace = origin === "cli" || origin === "batch" ? readOwnTrace(process.env) : undefined;
  const endpointOf = makeEndpoints(config.servers);
  const listeners: HostListener[] = [];
  let tracing: Tracing | undefined;
  const closers: (() => void | Promise<void>)[] = [];

  if (found.traces) {
    const { traceEvents } = await import("./trace-events.ts");
    const printPayload = config.telemetry.payloads ? await openPayloads(config) : undefined;
    const traces = traceEvents(endpointOf, ownTrace, printPayload);
    listeners.push(traces.listener);
    tracing = traces.tracing;
  } else if (ownTrace !== undefined || (origin !== "cli" && origin !== "batch")) {
    tracing = makeTracePassing(ownTrace);
  }
  if (found.metrics) {
    const { measureEvents } = await import("../metrics/measure-events.ts");
    const { makeOtelSink } = await import("../metrics/otel-sink.ts");
    const { listener, close } = measureEvents(makeOtelSink(), endpointOf);
    listeners.push(listener);
    closers.push(close);
  }
  if (found.traces || found.metrics) {
    const { flushTelemetry } = await import("./flush-telemetry.ts");
    closers.push(flushTelemetry);
  }
  const registry = config.serve.metrics === undefined || origin !== "serve-http" ? undefined : await makeRegistry();
  if (registry !== undefined) listeners.push(registry.listenerFor(endpointOf));
  return {
    ...{ listeners, tracing },
    printMetrics: registry?.print,
    async close() {
      for (const close of closers) await close();
    },
  };
}

async function openPayloads(config: Config): Promise<PrintPayload> {
  const { findSecrets } = await import("../../../engine/log/find-secrets.ts");
  const { makePayloadPrinter } = await import("./print-payload.ts");
  return makePayloadPrinter(findSecrets(config, process.env));
}

async function makeRegistry() {
  const { measureEvents } = await import("../metrics/measure-events.ts");
  const { makeMetricRegistry, printPrometheus } = await import("../metrics/prometheus.ts");
  const registry = makeMetricRegistry();
  return {
    print: () => printPrometheus(registry),
    listenerFor: (endpointOf: ReturnType<typeof makeEndpoints>) => measureEvents(registry, endpointOf).listener,
  };
}

/** A job in CI that is traced itself tells its commands so (OpenTelemetry, environment variables as carriers). */
function readOwnTrace(env: NodeJS.ProcessEnv): TraceContext | undefined {
  return readTraceContext({ traceparent: env["TRACEPARENT"], tracestate: env["TRACESTATE"] });
}

/** Where every copy of `@opentelemetry/api` 1.x registers (its `internal/global-utils`): to look costs nothing, and to import it some milliseconds. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** Looks for an SDK that was loaded before codemode, with `node --import`. */
function findTelemetry(): { traces: boolean; metrics: boolean } {
  const registry = (globalThis as { [REGISTRY]?: { trace?: unknown; metrics?: unknown } })[REGISTRY];
  return { traces: registry?.trace !== undefined, metrics: registry?.metrics !== undefined };
}
