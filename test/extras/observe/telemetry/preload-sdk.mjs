// A user's telemetry.mjs, but that it keeps everything: at the end of the process it is in the file TELEMETRY_FILE.
import { writeFileSync } from "node:fs";
import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from "@opentelemetry/sdk-trace-base";

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
// Neither exports by itself while a test takes: what is in the file has been flushed.
const exportIntervalMillis = 600_000;
const provider = new BasicTracerProvider({
  spanProcessors: [new BatchSpanProcessor(spans, { scheduledDelayMillis: exportIntervalMillis })],
});
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis });

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(provider);
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

process.on("exit", () => {
  const exported = {
    spans: spans.getFinishedSpans().map((span) => ({
      name: span.name,
      kind: span.kind,
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
      parentId: span.parentSpanContext?.spanId,
      tracestate: span.spanContext().traceState?.serialize(),
      attributes: span.attributes,
      status: span.status,
      links: span.links.map(({ context: linked }) => linked.spanId),
      events: span.events.map(({ name, attributes }) => ({ name, attributes })),
    })),
    metrics: (measured.getMetrics().at(-1)?.scopeMetrics ?? []).flatMap(({ metrics: all }) =>
      all.map(({ descriptor, dataPoints }) => ({ ...descriptor, dataPoints })),
    ),
  };
  writeFileSync(process.env.TELEMETRY_FILE, JSON.stringify(exported));
});
