import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { METRICS } from "../../extras/observe/metrics/metric-table.ts";
import { SPANS } from "../../extras/observe/telemetry/spans.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { CALL_NUMBER_META, RUN_KEY_META } from "../../schemas/run/run-key.ts";
import { connectLegacy, connectModern } from "../serve/http/start-http.ts";
import { type ExportedSpan, readExported, withSdk } from "../extras/observe/telemetry/exported.ts";
import { parsePrometheus } from "../extras/observe/telemetry/parse-prometheus.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";
import { initialize, openWire } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";

/** What only scripts, tools and their callers may see. */
const PRIVATE = "private-marker";

const INPUT = { type: "object", properties: { what: { type: "string" } } };
const TOOLS = [
  { name: "look", inputSchema: INPUT, "x-meta": true },
  { name: "quote", inputSchema: INPUT },
  { name: "grumble", inputSchema: INPUT, "x-answer": { isError: true, content: [{ type: "text", text: PRIVATE }] } },
  { name: "snap", inputSchema: INPUT, "x-error": { code: -32_050, message: PRIVATE } },
];

const PARENT = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACE = { traceparent: `00-${PARENT.traceId}-${PARENT.spanId}-01`, tracestate: "vendor=abc", baggage: "who=me" };

const LOOK = 'import { look } from "@codemode/servers/trips"; export default await look({ what: "private-marker" });';

function makeTrips(more: object = {}): Promise<string> {
  const trips = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "trips.json"] };
  return makeProject({ "codemode.config.json": { mcpServers: { trips }, ...more }, "trips.json": TOOLS });
}

interface Caller {
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<unknown>;
}

async function run(client: Caller, code: string, _meta: Record<string, unknown> = {}): Promise<RunAnswer> {
  const result = await client.callTool({ name: "codemode.run", arguments: { code }, _meta });
  return (result as { structuredContent: unknown }).structuredContent as RunAnswer;
}

const byName = (left: { name: string }, right: { name: string }): number => (left.name < right.name ? -1 : 1);

const only = (spans: ExportedSpan[], name: string): ExportedSpan => {
  const [found, ...more] = spans.filter((span) => span.name === name);
  if (found === undefined || more.length > 0) throw new Error(`there are ${more.length} more of ${name}`);
  return found;
};

test("a request, its run and its calls are one trace, and measured; nothing that they carry is in either", async () => {
  const cwd = await makeTrips();
  const file = join(cwd, "telemetry.json");
  const { url, child, lines, ended } = await serveOverHttp(cwd, withSdk(file), ["--metrics", "0"]);
  const legacy = await connectLegacy(url);
  const modern = await connectModern(url);

  const looked = await run(modern, LOOK, TRACE);
  const failing = `import * as trips from "@codemode/servers/trips";
    console.log("${PRIVATE}");
    for (const name of ["quote", "grumble", "snap"]) await trips[name]({ what: "${PRIVATE}" }).catch(() => undefined);
    throw new Error("${PRIVATE}");`;
  expect(await run(legacy, failing)).toMatchObject({ diagnostics: [{ code: "UNCAUGHT_EXCEPTION" }] });
  await expect(modern.callTool({ name: `${PRIVATE}-tool`, arguments: {} })).rejects.toThrow("Unknown tool");

  const metricsUrl = /http:[^\s"]+\/metrics/.exec(lines.join("\n"))?.[0] ?? "";
  const scraped = await fetch(metricsUrl);
  expect(scraped.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await scraped.text();
  const others = [
    await fetch(metricsUrl, { method: "POST" }),
    await fetch(new URL("/", metricsUrl)),
    await fetch(new URL("/metrics", url)),
  ];
  expect(others.map(({ status }) => status)).toEqual([405, 404, 404]);
  await legacy.close();
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  const exported = await readExported(file);

  expect(JSON.stringify(exported)).not.toContain(PRIVATE);
  expect(text).not.toContain(PRIVATE);

  // The trace: client > request > run > call > server.
  const trace = exported.spans.filter(({ traceId }) => traceId === PARENT.traceId);
  const request = only(trace, "tools/call codemode.run");
  const script = only(trace, "codemode.run");
  const call = only(trace, "tools/call look");
  expect([request.parentId, script.parentId, call.parentId]).toEqual([PARENT.spanId, request.spanId, script.spanId]);
  expect(traceOf(looked)).toEqual({
    traceparent: `00-${PARENT.traceId}-${call.spanId}-01`,
    tracestate: TRACE.tracestate,
  });
  expect(request).toMatchObject({
    kind: 1,
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "codemode.run",
      "gen_ai.operation.name": "execute_tool",
      "network.transport": "tcp",
      "mcp.protocol.version": "2026-07-28",
      "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
    },
    status: { code: 0 },
  });
  expect(script.events.map(({ name }) => name)).toEqual([
    "codemode.bundled",
    "codemode.reviewed",
    "codemode.script_started",
    "codemode.script_ended",
  ]);
  expect(call).toMatchObject({
    kind: 2,
    attributes: { "gen_ai.tool.name": "look", "codemode.server.id": "trips", "network.transport": "pipe" },
  });

  // What fails is said in words of our own.
  const rest = exported.spans.filter(({ traceId }) => traceId !== PARENT.traceId);
  const failures = rest
    .toSorted(byName)
    .map(({ name, attributes, status }) => [name, attributes["error.type"], status]);
  expect(failures).toEqual([
    ["codemode.run", "UNCAUGHT_EXCEPTION", { code: 2 }],
    ["tools/call", "-32602", { code: 2 }],
    ["tools/call codemode.run", "UNCAUGHT_EXCEPTION", { code: 2 }],
    ["tools/call grumble", "tool_error", { code: 2 }],
    ["tools/call quote", undefined, { code: 0 }],
    ["tools/call snap", "-32050", { code: 2 }],
  ]);
  expect(only(rest, "tools/call codemode.run").attributes["mcp.session.id"]).toMatch(/^2025-11-25\./);

  // Spans and metrics have what the tables say, and the reference with them.
  const kinds = ["run", "request", "call"] as const;
  for (const { kind, attributes, events } of exported.spans) {
    const known = SPANS[kinds[kind] as (typeof kinds)[number]];
    expect(known.attributes).toEqual(expect.arrayContaining(Object.keys(attributes)));
    expect(Object.keys(known.events)).toEqual(expect.arrayContaining(events.map(({ name }) => name)));
  }
  const counts = exported.metrics.toSorted(byName).map(({ name, unit, dataPoints }) => {
    const { attributes } = METRICS[name as keyof typeof METRICS];
    for (const point of dataPoints) expect(attributes).toEqual(expect.arrayContaining(Object.keys(point.attributes)));
    return [name, unit, dataPoints.length];
  });
  expect(counts).toEqual([
    ["codemode.pool.processes", "{process}", 3],
    ["codemode.queue.runs", "{run}", 2],
    ["codemode.queue.wait", "s", 1],
    ["codemode.run.duration", "s", 2],
    ["codemode.run.errors", "{error}", 1],
    ["codemode.runs", "{run}", 2],
    ["codemode.server.events", "{event}", 1],
    ["codemode.tool.calls", "{call}", 4],
    ["mcp.client.operation.duration", "s", 4],
    ["mcp.client.session.duration", "s", 1],
    ["mcp.server.operation.duration", "s", 3],
    ["mcp.server.session.duration", "s", 1],
  ]);

  // Prometheus reads the same.
  const samples = parsePrometheus(text);
  const valuesOf = (name: string): unknown[] =>
    samples.filter((sample) => sample.name === name).map(({ labels, value }) => [...Object.values(labels), value]);
  expect(valuesOf("codemode_runs_total")).toEqual([
    ["script", "ok", "serve-http", 1],
    ["script", "error", "serve-http", 1],
  ]);
  expect(valuesOf("codemode_tool_calls_total")).toEqual([
    ["trips", "look", "ok", 1],
    ["trips", "quote", "ok", 1],
    ["trips", "grumble", "tool_error", 1],
    ["trips", "snap", "failed", 1],
  ]);
  expect(valuesOf("codemode_run_errors_total")).toEqual([["UNCAUGHT_EXCEPTION", 1]]);
  expect(valuesOf("codemode_queue_runs").map((row) => (row as unknown[])[0])).toEqual(["running", "waiting"]);
  const durations = samples.filter(({ name }) => name === "mcp_client_operation_duration_seconds_count");
  expect(durations.map(({ labels, value }) => [labels["gen_ai_tool_name"], labels["error_type"], value])).toEqual([
    ["look", undefined, 1],
    ["quote", undefined, 1],
    ["grumble", "tool_error", 1],
    ["snap", "-32050", 1],
  ]);
});

/** What the server found in `_meta`, without the token by which it may report progress. */
function traceOf(answer: Pick<RunAnswer, "result">): unknown {
  const meta = JSON.parse(String(answer.result)) as Record<string, unknown>;
  const { progressToken, [RUN_KEY_META]: key, [CALL_NUMBER_META]: number, ...trace } = meta;
  expect(number).toBe(1);
  expect(progressToken).toBeTypeOf("number");
  expect(key).toMatch(/^[\w-]{36}$/);
  return trace;
}

test("without an SDK the trace of a request is passed on as it came, and nothing that is no trace", async () => {
  const cwd = await makeTrips();
  const wire = openWire(cwd);
  await initialize(wire);
  const lookWith = async (_meta: Record<string, unknown>): Promise<unknown> => {
    const { result = {} } = await wire.ask("tools/call", {
      name: "codemode.run",
      arguments: { code: LOOK },
      _meta: _meta as never,
    });
    return traceOf(result["structuredContent"] as unknown as RunAnswer);
  };
  expect(await lookWith(TRACE)).toEqual({ traceparent: TRACE.traceparent, tracestate: TRACE.tracestate });
  expect(await lookWith({ traceparent: `${TRACE.traceparent}\n`, tracestate: "a=b" })).toEqual({});
  expect(await lookWith({ traceparent: TRACE.traceparent, tracestate: "a=b\u0000" })).toEqual({
    traceparent: TRACE.traceparent,
  });
  expect(await lookWith({ traceparent: `00-${"0".repeat(32)}-${PARENT.spanId}-01` })).toEqual({});
});

test("a command of a traced job is part of its trace, and shows payloads if configured", async () => {
  const cwd = await makeTrips({ telemetry: { payloads: true } });
  const file = join(cwd, "telemetry.json");
  const env = { ...withSdk(file), TRACEPARENT: TRACE.traceparent };
  const code = `import { quote } from "@codemode/servers/trips";
    await quote({ what: "${PRIVATE}", apiToken: "hidden-marker", long: "x".repeat(5000) });`;
  expect(await runCodemode(["run", "--eval", code], { cwd, env })).toMatchObject({ code: 0 });
  const { spans } = await readExported(file);
  const call = only(spans, "tools/call quote");
  expect(spans.map(({ name, traceId }) => [name, traceId])).toEqual([
    ["tools/call quote", PARENT.traceId],
    ["codemode.run", PARENT.traceId],
  ]);
  expect(only(spans, "codemode.run").parentId).toBe(PARENT.spanId);
  const { "gen_ai.tool.call.arguments": input, "gen_ai.tool.call.result": result } = call.attributes;
  expect(String(input)).toMatch(/^\{"what":"private-marker","apiToken":"\[redacted\]","long":"x{1024}…"\}$/);
  expect(String(result)).toContain("quote {");
  expect(String(result).length).toBeLessThan(4200);
});
