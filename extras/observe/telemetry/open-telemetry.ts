import { type Observer, type RunOrigin, type TraceContext, readTraceContext } from "../../../schemas/run/observer.ts";
import type { ConfiguredObservers } from "../../../engine/observers.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { makeEndpoints } from "./attributes.ts";
import type { PrintPayload } from "./print-payload.ts";
import { makeTracePassing } from "./pass-trace-on.ts";

/** Loads nothing without a registered SDK and without a metrics address. */
export async function openTelemetry(config: Config, origin: RunOrigin): Promise<ConfiguredObservers> {
  const found = findTelemetry();
  const ownTrace = origin === "cli" || origin === "batch" ? readOwnTrace(process.env) : undefined;
  const endpointOf = makeEndpoints(config.servers);
  const observers: Observer[] = [];
  const closers: (() => void | Promise<void>)[] = [];

  if (found.traces) {
    const { makeTraceObserver } = await import("./trace-observer.ts");
    const printPayload = config.telemetry.payloads ? await openPayloads(config) : undefined;
    observers.push(makeTraceObserver({ endpointOf, ownTrace, printPayload }));
  } else if (ownTrace !== undefined || (origin !== "cli" && origin !== "batch")) {
    observers.push(makeTracePassing(ownTrace));
  }
  if (found.metrics) {
    const { makeMetricsObserver } = await import("../metrics/metrics-observer.ts");
    const { makeOtelSink } = await import("../metrics/otel-sink.ts");
    const { observer, close } = makeMetricsObserver(makeOtelSink(), endpointOf);
    observers.push(observer);
    closers.push(close);
  }
  if (found.traces || found.metrics) {
    const { flushTelemetry } = await import("./flush-telemetry.ts");
    closers.push(flushTelemetry);
  }
  const registry = config.serve.metrics === undefined || origin !== "serve-http" ? undefined : await makeRegistry();
  if (registry !== undefined) observers.push(registry.observerFor(endpointOf));
  return {
    observers,
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
  const { makeMetricsObserver } = await import("../metrics/metrics-observer.ts");
  const { makeMetricRegistry, printPrometheus } = await import("../metrics/prometheus.ts");
  const registry = makeMetricRegistry();
  return {
    print: () => printPrometheus(registry),
    observerFor: (endpointOf: ReturnType<typeof makeEndpoints>) => makeMetricsObserver(registry, endpointOf).observer,
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
