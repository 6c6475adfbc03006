import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type {
  CallEnd,
  CallFacts,
  HostState,
  Observer,
  RequestFacts,
  RequestObservation,
  RunFacts,
  RunObservation,
  SessionFacts,
} from "../../../schemas/run/observer.ts";
import type { ServerEvent } from "../../../schemas/run/tool-call-event.ts";
import { type EndpointOf, isReservedCode, shortName, type TelemetryAttributes } from "../telemetry/attributes.ts";
import type { LabelsOf, MetricSink } from "./metric-table.ts";
import { methodOfName } from "../../../schemas/lock/operations.ts";

/** An observer that measures, and how to end it: connections that live until then are measured as well. */
export interface MetricsObserver {
  observer: Observer;
  close(): void;
}

/** Measures what happens in a host. Every label has few values: names are locked or configured, and codes are our own. */
export function makeMetricsObserver(sink: MetricSink, endpointOf: EndpointOf): MetricsObserver {
  const connected = new Map<string, number>();
  const endConnection = (serverId: string, seconds: number, error?: string): void => {
    const labels = { ...connectionLabels(endpointOf(serverId)), "codemode.server.id": serverId };
    sink.record("mcp.client.session.duration", seconds, {
      ...labels,
      ...withoutUndefined({ "error.type": error }),
    });
  };
  return {
    observer: {
      requestStarted: (facts) => measureRequest(facts, sink),
      sessionStarted(facts) {
        const elapsed = startClock();
        return () => sink.record("mcp.server.session.duration", elapsed(), sessionLabels(facts));
      },
      runStarted: (facts) => measureRun(facts, sink, endpointOf),
      accessRefused({ place, token, count }) {
        sink.add("codemode.access.refused", { "codemode.access.place": place, "codemode.access.token": token }, count);
      },
      runTurnedAway({ code, client }) {
        sink.add("codemode.runs.turned_away", { "error.type": code, ...clientLabel(client) });
      },
      serverEvent(event) {
        countServerEvent(event, sink);
        if (event.kind === "connected") connected.set(event.serverId, performance.now());
        if (event.kind !== "disconnected") return;
        connected.delete(event.serverId);
        endConnection(event.serverId, event.afterMs / 1000, event.code);
      },
      stateOffered: (state) => watchState(state, sink),
    },
    close() {
      for (const [serverId, since] of connected) endConnection(serverId, (performance.now() - since) / 1000);
    },
  };
}

function measureRequest(facts: RequestFacts, sink: MetricSink): RequestObservation {
  const elapsed = startClock();
  const labels: LabelsOf<"mcp.server.operation.duration"> = {
    ...sessionLabels(facts),
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
  };
  let failure: string | undefined;
  return {
    admitted() {
      failure = undefined;
      sink.record("codemode.queue.wait", elapsed(), {});
    },
    failed: (code) => void (failure = code),
    named: (toolName) => void (labels["gen_ai.tool.name"] = shortName(toolName)),
    ended({ isError, rpcCode }) {
      const code = rpcCode === undefined ? (failure ?? (isError ? "tool_error" : undefined)) : rpcLabel(rpcCode);
      sink.record("mcp.server.operation.duration", elapsed(), {
        ...labels,
        ...withoutUndefined({
          "rpc.response.status_code": rpcCode === undefined ? undefined : rpcLabel(rpcCode),
          "error.type": code,
        }),
      });
    },
  };
}

function measureRun({ subject, origin, client }: RunFacts, sink: MetricSink, endpointOf: EndpointOf): RunObservation {
  return {
    limitHit: (limit) => sink.add("codemode.run.limits", { "codemode.limit": limit }),
    callStarted: (facts) => ({ ended: (end) => measureCall(facts, end, sink, endpointOf) }),
    ended({ ok, codes, durationMs }) {
      const labels = { "codemode.run.kind": subject.kind, "codemode.run.outcome": ok ? "ok" : "error" };
      sink.add("codemode.runs", { ...labels, "codemode.run.origin": origin, ...clientLabel(client) });
      sink.record("codemode.run.duration", durationMs / 1000, labels);
      for (const code of codes) sink.add("codemode.run.errors", { "error.type": code });
    },
  };
}

function measureCall({ server, tool }: CallFacts, end: CallEnd, sink: MetricSink, endpointOf: EndpointOf): void {
  const { outcome, code, rpcCode, durationMs } = end;
  const subject = {
    ...withoutUndefined({
      "codemode.server.id": server?.id,
      "gen_ai.tool.name": tool === undefined ? undefined : shortName(tool.name),
    }),
  };
  sink.add("codemode.tool.calls", { ...subject, "codemode.call.outcome": outcome });
  // The server never heard of these.
  if (server === undefined || outcome === "refused" || outcome === "skipped") return;
  const failure = rpcCode === undefined ? (code ?? outcome) : rpcLabel(rpcCode);
  sink.record("mcp.client.operation.duration", durationMs / 1000, {
    ...subject,
    ...connectionLabels(endpointOf(server.id)),
    "mcp.method.name": methodOfName(tool?.name ?? ""),
    "gen_ai.operation.name": "execute_tool",
    "mcp.protocol.version": server.protocolVersion,
    ...withoutUndefined({
      "rpc.response.status_code": rpcCode === undefined ? undefined : rpcLabel(rpcCode),
      "error.type": outcome === "ok" ? undefined : failure,
    }),
  });
}

function countServerEvent(event: ServerEvent, sink: MetricSink): void {
  const { serverId } = event;
  if (event.kind === "logged") return;
  if (event.kind === "drifted") {
    sink.add("codemode.server.drifts", { "codemode.server.id": serverId, "codemode.drift.handling": event.handling });
    return;
  }
  const kind = event.kind === "connected" && event.restarts > 0 ? "restarted" : event.kind;
  sink.add("codemode.server.events", {
    "codemode.server.id": serverId,
    "codemode.server.event": kind,
    ...withoutUndefined({ "error.type": "code" in event ? event.code : undefined }),
  });
}

function watchState({ pool, queue, store }: HostState, sink: MetricSink): void {
  if (pool !== undefined) {
    sink.observe("codemode.pool.processes", () => {
      const { ready, busy, starting } = pool();
      return Object.entries({ ready, busy, starting }).map(([state, value]) => ({
        value,
        labels: { "codemode.pool.state": state },
      }));
    });
  }
  if (queue !== undefined) {
    sink.observe("codemode.queue.runs", () =>
      Object.entries(queue()).map(([state, value]) => ({ value, labels: { "codemode.queue.state": state } })),
    );
  }
  if (store !== undefined) {
    sink.observe("codemode.store.skew", () => [{ value: store().skewMs / 1000, labels: {} }]);
  }
}

function sessionLabels({ transport, protocolVersion }: SessionFacts): LabelsOf<"mcp.server.session.duration"> {
  return {
    "network.transport": transport === "stdio" ? "pipe" : "tcp",
    ...withoutUndefined({
      "network.protocol.name": transport === "http" ? "http" : undefined,
      "mcp.protocol.version": protocolVersion,
    }),
  };
}

function connectionLabels(endpoint: TelemetryAttributes): LabelsOf<"mcp.client.session.duration"> {
  return endpoint as LabelsOf<"mcp.client.session.duration">;
}

function clientLabel(client: string | undefined): { "codemode.client"?: string } {
  return client === undefined ? {} : { "codemode.client": client };
}

/** A server can answer with any number; there are few that mean something. */
function rpcLabel(code: number): string {
  return isReservedCode(code) ? String(code) : "_OTHER";
}

function startClock(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1000;
}
