import type { SpanAttribute } from "../telemetry/attributes.ts";

export interface MetricDefinition {
  kind: "counter" | "histogram" | "gauge";
  /** UCUM: `s`, or what is counted in braces. */
  unit: string;
  description: string;
  attributes: readonly SpanAttribute[];
}

const OPERATION = [
  "mcp.method.name",
  "gen_ai.operation.name",
  "gen_ai.tool.name",
  "mcp.protocol.version",
  "network.transport",
  "network.protocol.name",
  "rpc.response.status_code",
  "error.type",
] as const satisfies readonly SpanAttribute[];

/** All metrics, under the names that OpenTelemetry has for them. */
export const METRICS = {
  "mcp.server.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Requests of clients to call a tool, from their arrival to their answer",
    attributes: OPERATION,
  },
  "mcp.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    description: "Calls of tools that were sent to servers",
    attributes: [...OPERATION, "server.address", "server.port", "codemode.server.id"],
  },
  "mcp.server.session.duration": {
    kind: "histogram",
    unit: "s",
    description: "Sessions of clients whose revision has sessions",
    attributes: ["network.transport", "network.protocol.name", "mcp.protocol.version"],
  },
  "mcp.client.session.duration": {
    kind: "histogram",
    unit: "s",
    description: "Connections to servers",
    attributes: [
      "network.transport",
      "network.protocol.name",
      "server.address",
      "server.port",
      "error.type",
      "codemode.server.id",
    ],
  },
  "codemode.runs": {
    kind: "counter",
    unit: "{run}",
    description: "Runs that have ended",
    attributes: ["codemode.run.kind", "codemode.run.outcome", "codemode.run.origin", "codemode.client"],
  },
  "codemode.run.duration": {
    kind: "histogram",
    unit: "s",
    description: "Runs, from leaving the queue to the answer, including waits for approval",
    attributes: ["codemode.run.kind", "codemode.run.outcome"],
  },
  "codemode.run.errors": {
    kind: "counter",
    unit: "{error}",
    description: "Errors in the answers of runs",
    attributes: ["error.type"],
  },
  "codemode.run.limits": {
    kind: "counter",
    unit: "{limit}",
    description: "Limits that ended a run, or cut its log or result",
    attributes: ["codemode.limit"],
  },
  "codemode.access.refused": {
    kind: "counter",
    unit: "{request}",
    description: "Requests over HTTP without a token, or with one that is not known",
    attributes: ["codemode.access.place", "codemode.access.token"],
  },
  "codemode.runs.turned_away": {
    kind: "counter",
    unit: "{run}",
    description: "Runs that did not get their turn",
    attributes: ["error.type", "codemode.client"],
  },
  "codemode.tool.calls": {
    kind: "counter",
    unit: "{call}",
    description: "Tool calls, including refused ones",
    attributes: ["codemode.server.id", "gen_ai.tool.name", "codemode.call.outcome"],
  },
  "codemode.queue.wait": {
    kind: "histogram",
    unit: "s",
    description: "Time that requests waited in the queue",
    attributes: [],
  },
  "codemode.queue.runs": {
    kind: "gauge",
    unit: "{run}",
    description: "Runs in progress or in the queue",
    attributes: ["codemode.queue.state"],
  },
  "codemode.store.skew": {
    kind: "gauge",
    unit: "s",
    description: "Clock of this machine minus the clock of the store of replicas",
    attributes: [],
  },
  "codemode.pool.processes": {
    kind: "gauge",
    unit: "{process}",
    description: "Sandbox processes",
    attributes: ["codemode.pool.state"],
  },
  "codemode.server.events": {
    kind: "counter",
    unit: "{event}",
    description: "What happened to connections",
    attributes: ["codemode.server.id", "codemode.server.event", "error.type"],
  },
  "codemode.server.drifts": {
    kind: "counter",
    unit: "{drift}",
    description: "Differences between a server and the lockfile, each counted once",
    attributes: ["codemode.server.id", "codemode.drift.handling"],
  },
} as const satisfies { [name: string]: MetricDefinition };

export type MetricName = keyof typeof METRICS;

type NamesOf<Kind> = { [Name in MetricName]: (typeof METRICS)[Name]["kind"] extends Kind ? Name : never }[MetricName];
export type CounterName = NamesOf<"counter">;
export type HistogramName = NamesOf<"histogram">;
export type GaugeName = NamesOf<"gauge">;

/** Exactly the attributes of the table, or some of them. */
export type LabelsOf<Name extends MetricName> = {
  [Key in (typeof METRICS)[Name]["attributes"][number]]?: string | number;
};

export interface GaugeReading<Name extends GaugeName> {
  value: number;
  labels: LabelsOf<Name>;
}

/** Where measurements go. */
export interface MetricSink {
  /** @param count one unless given */
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, count?: number): void;
  record<Name extends HistogramName>(name: Name, seconds: number, labels: LabelsOf<Name>): void;
  /** Reads the current values, on demand. */
  observe<Name extends GaugeName>(name: Name, read: () => readonly GaugeReading<Name>[]): void;
}

/** In seconds, as the conventions for MCP advise. */
const OPERATION_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Most scripts take milliseconds. */
const RUN_BOUNDS = [0.001, 0.002, 0.005, ...OPERATION_BOUNDS];

export function boundsOf(name: HistogramName): readonly number[] {
  return name.startsWith("mcp.") ? OPERATION_BOUNDS : RUN_BOUNDS;
}
