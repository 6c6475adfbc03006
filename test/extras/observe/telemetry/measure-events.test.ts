import { expect, test } from "vitest";
import { METRICS } from "../../../../extras/observe/metrics/metric-table.ts";
import { measureEvents } from "../../../../extras/observe/metrics/measure-events.ts";
import { makeMetricRegistry, printPrometheus, prometheusName } from "../../../../extras/observe/metrics/prometheus.ts";
import type { CallEnd, EventOf, RunFacts } from "../../../../schemas/run/events.ts";
import { parsePrometheus } from "./parse-prometheus.ts";

const RUN: RunFacts = { runId: "run", origin: "serve-http", subject: { kind: "script", name: "script.ts" } };

/** Ends a value, a line and a sample, and is longer than a label may be. */
const HOSTILE = 'x"} 1\ncodemode_runs_total{client="forged"} 9\r\\\u2028\ud800';

type SettledCall = EventOf<"call-settled">;

function callOf(toolName: string | undefined, end: Pick<CallEnd, "outcome" | "rpcCode" | "code">): SettledCall {
  const facts = {
    ...({ type: "call-settled", run: RUN, ...end } as const),
    ...{ durationMs: 20, result: () => undefined, resultBytes: () => 0 },
    serverId: "trips",
    toolName: toolName ?? "made up",
    number: 1,
    input: () => null,
    inputBytes: () => 4,
  };
  if (toolName === undefined) return facts;
  const server = { id: "trips", protocolVersion: "2025-11-25" } as SettledCall["server"] & object;
  return { ...facts, server, tool: { name: toolName } as SettledCall["tool"] & object };
}

function start(maxSeries?: number) {
  const registry = makeMetricRegistry(maxSeries);
  const { listener: hear } = measureEvents(registry, () => ({ "network.transport": "pipe" }));
  return {
    hear,
    call: (...call: Parameters<typeof callOf>) => hear(callOf(...call)),
    text: () => printPrometheus(registry),
    samples: () => parsePrometheus(printPrometheus(registry)),
  };
}

test("what servers name stays inside its quotes", () => {
  const { call, text, samples } = start();
  call(HOSTILE, { outcome: "ok" });
  call("long".repeat(1000), { outcome: "ok" });
  const names = samples()
    .filter(({ name }) => name === "codemode_tool_calls_total")
    .map(({ labels }) => labels["gen_ai_tool_name"]);
  expect(names).toEqual([HOSTILE.replaceAll(/[\r\u2028\ud800]/g, "\ufffd"), `${"long".repeat(32).slice(0, 127)}…`]);
  expect(text()).not.toMatch(/^codemode_runs_total/m);
  expect(text()).not.toMatch(/[\r\u2028]/);
});

test("labels have few values for all answers of servers and calls of scripts", () => {
  const { call, samples } = start(20);
  call(undefined, { outcome: "refused", code: "CapabilityError" });
  for (const rpcCode of [1, 2, 3, 1.5, 1e300]) call("quote", { outcome: "failed", code: "rpc", rpcCode });
  for (let tool = 0; tool < 30; tool += 1) call(`tool ${tool}`, { outcome: "ok" });
  const seen = samples();
  const errors = seen.filter(({ name }) => name === "mcp_client_operation_duration_seconds_count");
  expect(errors[0]).toMatchObject({ labels: { error_type: "_OTHER", rpc_response_status_code: "_OTHER" }, value: 5 });
  const calls = seen.filter(({ name }) => name === "codemode_tool_calls_total");
  expect(calls.length).toBe(21);
  expect(calls[0]?.labels).toEqual({ codemode_call_outcome: "refused" });
  expect(calls.at(-1)).toEqual({
    name: "codemode_tool_calls_total",
    labels: { otel_metric_overflow: "true" },
    value: 12,
  });
});

test("a histogram counts up to its bounds, and gauges are read when they are asked for", () => {
  const { call, hear, samples } = start();
  call("quote", { outcome: "ok" });
  const buckets = samples().filter(({ name }) => name === "mcp_client_operation_duration_seconds_bucket");
  expect(buckets.map(({ labels, value }) => [labels["le"], value]).slice(0, 3)).toEqual([
    ["0.01", 0],
    ["0.02", 1],
    ["0.05", 1],
  ]);
  expect(buckets.at(-1)).toMatchObject({ labels: { le: "+Inf" }, value: 1 });
  let waiting = 1;
  hear({ type: "state-offered", state: { queue: () => ({ running: 2, waiting }) } });
  waiting = 5;
  const queue = samples().filter(({ name }) => name === "codemode_queue_runs");
  expect(queue.map(({ labels, value }) => [labels["codemode_queue_state"], value])).toEqual([
    ["running", 2],
    ["waiting", 5],
  ]);
});

test("the clock of this machine is measured against the store's, in seconds", () => {
  const { hear, samples } = start();
  hear({ type: "state-offered", state: { store: () => ({ skewMs: -1500 }) } });
  expect(samples()).toEqual([{ name: "codemode_store_skew_seconds", labels: {}, value: -1.5 }]);
});

test("limits, drift, restarts and clients that are turned away are counted", () => {
  const { hear, samples } = start();
  hear({ type: "script-ended", run: RUN, limits: ["timeoutMs"] });
  hear({ type: "run-turned-away", code: "QUEUE_FULL", client: "alice" });
  const server = { type: "server-changed", serverId: "trips" } as const;
  hear({ ...server, kind: "connected", transport: "stdio", durationMs: 5, restarts: 1 });
  hear({ ...server, kind: "disconnected", code: "exit", afterMs: 3000 });
  const tools = { toolsAdded: [], toolsRemoved: ["quote"], toolsChanged: [] };
  hear({ ...server, kind: "drifted", handling: "refused", ...tools });
  const seen = samples().filter(({ name }) => !name.endsWith("_bucket"));
  expect(seen.map(({ name, labels, value }) => [name, Object.values(labels).join(" "), value])).toEqual([
    ["mcp_client_session_duration_seconds_sum", "pipe trips exit", 3],
    ["mcp_client_session_duration_seconds_count", "pipe trips exit", 1],
    ["codemode_run_limits_total", "timeoutMs", 1],
    ["codemode_runs_turned_away_total", "QUEUE_FULL alice", 1],
    ["codemode_server_events_total", "trips restarted", 1],
    ["codemode_server_events_total", "trips disconnected exit", 1],
    ["codemode_server_drifts_total", "trips refused", 1],
  ]);
});

test("every metric has a legal name of its own for Prometheus", () => {
  const names = Object.keys(METRICS).map((name) => prometheusName(name as keyof typeof METRICS));
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
