import { ATTRIBUTES } from "../../extras/observe/telemetry/attributes.ts";
import { type MetricDefinition, type MetricName, METRICS } from "../../extras/observe/metrics/metric-table.ts";
import { prometheusName } from "../../extras/observe/metrics/prometheus.ts";
import { type SpanDefinition, SPANS } from "../../extras/observe/telemetry/spans.ts";
import { table } from "./print-reference.ts";

/** The parts of the reference of telemetry, by name. */
export const TELEMETRY_PARTS: { readonly [name: string]: () => string } = {
  spans: printSpans,
  metrics: printMetrics,
  attributes: printAttributes,
};

function printSpans(): string {
  const spans: readonly SpanDefinition[] = Object.values(SPANS);
  const rows = spans.map(({ name, kind, of, attributes }) => [`\`${name}\``, kind, of, listOf(attributes)]);
  return table(["span", "kind", "of", "attributes"], rows);
}

function printMetrics(): string {
  const names = Object.keys(METRICS) as MetricName[];
  const rows = names.map((name) => {
    const { kind, unit, description, attributes }: MetricDefinition = METRICS[name];
    return [`\`${name}\``, `\`${prometheusName(name)}\``, `${kind}, \`${unit}\``, description, listOf(attributes)];
  });
  return table(["metric", "for Prometheus", "kind", "of", "attributes"], rows);
}

function printAttributes(): string {
  const rows = Object.entries(ATTRIBUTES).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return table(["attribute", "meaning"], rows);
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
