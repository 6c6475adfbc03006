import { boundsOf, type GaugeName, type GaugeReading, type MetricName, type MetricSink } from "./metric-table.ts";

export type Labels = { readonly [name: string]: string | number };

/** What has been measured under one set of labels. Of a counter only `sum` counts. */
export interface Series {
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
    add(name, labels) {
      seriesOf(name, labels as Labels, []).sum += 1;
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
