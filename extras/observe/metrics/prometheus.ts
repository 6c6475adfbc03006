import {
  boundsOf,
  type GaugeName,
  type GaugeReading,
  type HistogramName,
  type MetricDefinition,
  type MetricName,
  METRICS,
  type MetricSink,
} from "./metric-table.ts";

type Labels = { readonly [name: string]: string | number };

/** What has been measured under one set of labels. Of a counter only `sum` counts. */
interface Series {
  labels: Labels;
  count: number;
  sum: number;
  /** One more than there are bounds: how many were above the bound before, and not above this one. */
  buckets: number[];
}

/** Measurements of this process, read on demand. */
export interface MetricRegistry extends MetricSink {
  /** All series of a metric as they are now, in the order in which they came to be. */
  read(name: MetricName): Series[];
}

/** Further sets of labels of a metric count as one, because names of tools change over the months. */
const MAX_SERIES = 2000;

/** The label that OpenTelemetry gives to what it has no room for. */
const OVERFLOW: Labels = { otel_metric_overflow: "true" };

export function makeMetricRegistry(maxSeries = MAX_SERIES): MetricRegistry {
  const metrics = new Map<MetricName, Map<string, Series>>();
  const gauges = new Map<MetricName, (() => readonly GaugeReading<GaugeName>[])[]>();

  const seriesOf = (name: MetricName, labels: Labels, bounds: readonly number[]): Series => {
    const known = metrics.get(name) ?? new Map<string, Series>();
    metrics.set(name, known);
    const key = keyOf(labels);
    const series = known.get(key);
    if (series !== undefined) return series;
    if (known.size >= maxSeries && labels !== OVERFLOW) return seriesOf(name, OVERFLOW, bounds);
    const made = { labels, count: 0, sum: 0, buckets: [...bounds, Infinity].map(() => 0) };
    known.set(key, made);
    return made;
  };
  return {
    add(name, labels, count = 1) {
      seriesOf(name, labels as Labels, []).sum += count;
    },
    record(name, seconds, labels) {
      const bounds = boundsOf(name);
      const series = seriesOf(name, labels as Labels, bounds);
      series.count += 1;
      series.sum += seconds;
      const index = bounds.findIndex((bound) => seconds <= bound);
      const bucket = index < 0 ? bounds.length : index;
      series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    },
    observe(name, read) {
      gauges.set(name, [...(gauges.get(name) ?? []), read]);
    },
    read(name) {
      const readings = (gauges.get(name) ?? []).flatMap((readAll) => readAll());
      const now = readings.map(({ value, labels }) => ({
        labels: labels as Labels,
        count: 0,
        sum: value,
        buckets: [],
      }));
      return [...(metrics.get(name)?.values() ?? []), ...now];
    },
  };
}

function keyOf(labels: Labels): string {
  const names = Object.keys(labels).toSorted();
  return JSON.stringify(names.map((name) => [name, labels[name]]));
}

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
