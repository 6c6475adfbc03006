import { type Meter, metrics } from "@opentelemetry/api";
import { VERSION } from "../../../schemas/version.ts";
import { boundsOf, type HistogramName, type MetricName, METRICS, type MetricSink } from "./metric-table.ts";

/** Hands measurements to the SDK that the user has registered. */
export function makeOtelSink(): MetricSink {
  const meter = metrics.getMeter("codemode", VERSION);
  const counters = makeOnce((name) => meter.createCounter(name, optionsOf(name)));
  const histograms = makeOnce((name) => makeHistogram(meter, name as HistogramName));
  return {
    add: (name, labels, count = 1) => counters(name).add(count, labels),
    record: (name, seconds, labels) => histograms(name).record(seconds, labels),
    observe(name, read) {
      meter.createObservableGauge(name, optionsOf(name)).addCallback((result) => {
        for (const { value, labels } of read()) result.observe(value, labels);
      });
    },
  };
}

function makeHistogram(meter: Meter, name: HistogramName) {
  const advice = { explicitBucketBoundaries: [...boundsOf(name)] };
  return meter.createHistogram(name, { ...optionsOf(name), advice });
}

function optionsOf(name: MetricName): { unit: string; description: string } {
  const { unit, description } = METRICS[name];
  return { unit, description };
}

function makeOnce<Instrument>(make: (name: MetricName) => Instrument): (name: MetricName) => Instrument {
  const made = new Map<MetricName, Instrument>();
  return (name) => {
    const instrument = made.get(name) ?? make(name);
    made.set(name, instrument);
    return instrument;
  };
}
