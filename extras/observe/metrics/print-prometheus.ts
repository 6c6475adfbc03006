import type { Labels, MetricRegistry, Series } from "./metric-registry.ts";
import { boundsOf, type HistogramName, type MetricDefinition, type MetricName, METRICS } from "./metric-table.ts";

/** Prints all that was measured in the text format of Prometheus. */
export function printPrometheus(registry: MetricRegistry): string {
  const names = Object.keys(METRICS) as MetricName[];
  return names.flatMap((name) => printMetric(name, registry.read(name))).join("");
}

/** As OpenTelemetry names its metrics for Prometheus: `codemode.runs` is `codemode_runs_total`. */
export function prometheusName(name: MetricName): string {
  const { kind, unit }: MetricDefinition = METRICS[name];
  return toWord(name) + (unit === "s" ? "_seconds" : "") + (kind === "counter" ? "_total" : "");
}

function printMetric(name: MetricName, series: readonly Series[]): string[] {
  if (series.length === 0) return [];
  const { kind, description }: MetricDefinition = METRICS[name];
  const shown = prometheusName(name);
  const lines =
    kind === "histogram"
      ? series.flatMap((each) => printHistogram(shown, each, boundsOf(name as HistogramName)))
      : series.map(({ labels, sum }) => printSample(shown, labels, sum));
  return [`# HELP ${shown} ${escapeHelp(description)}.\n`, `# TYPE ${shown} ${kind}\n`, ...lines];
}

function printHistogram(name: string, { labels, count, sum, buckets }: Series, bounds: readonly number[]): string[] {
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += buckets[index] ?? 0;
    return printSample(`${name}_bucket`, { ...labels, le: String(bound) }, below);
  });
  return [
    ...lines,
    printSample(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
    printSample(`${name}_sum`, labels, sum),
    printSample(`${name}_count`, labels, count),
  ];
}

function printSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${toWord(key)}="${escapeLabel(String(text))}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function toWord(name: string): string {
  return name.replaceAll(".", "_");
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** Names are hostile text. What the format does not escape, and some reader may take for the end of a line, is replaced. */
function escapeLabel(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => (character === "\n" ? "\n" : "\ufffd"));
  return escapeHelp(line).replaceAll('"', '\\"');
}
