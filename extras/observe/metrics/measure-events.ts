import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type {
  EventOf,
  HostEvent,
  HostState,
  RequestEvent,
  RequestFacts,
  RunEvent,
  RunFacts,
  ServerEvent,
  SessionFacts,
} from "../../../schemas/run/events.ts";
import { type EndpointOf, isReservedCode, shortName, type TelemetryAttributes } from "../telemetry/attributes.ts";
import type { LabelsOf, MetricSink } from "./metric-table.ts";
import { methodOfName } from "../../../schemas/lock/operations.ts";

/** What measures, and how to end it: connections that live until then are measured as well. */
export interface EventMeasures {
  listener: (event: HostEvent) => void;
  close(): void;
}

/** Measures what happens in a host. Every label has few values: names are locked or configured, and codes are our own. */
export function measureEvents(sink: MetricSink, endpointOf: EndpointOf): EventMeasures {
  const connected = new Map<string, number>();
  const endConnection = (serverId: string, seconds: number, error?: string): void => {
    const labels = { ...connectionLabels(endpointOf(serverId)), "codemode.server.id": serverId };
    sink.record("mcp.client.session.duration", seconds, {
      ...labels,
      ...withoutUndefined({ "error.type": error }),
    });
  };
  return {
    listener(event) {
      if ("run" in event) return measureRun(event, sink, endpointOf);
      if ("request" in event) return measureRequest(event, sink);
      switch (event.type) {
        case "session-ended":
          return sink.record("mcp.server.session.duration", event.durationMs / 1000, sessionLabels(event.session));
        case "access-refused": {
          const { place, token, count } = event;
          const labels = { "codemode.access.place": place, "codemode.access.token": token };
          return sink.add("codemode.access.refused", labels, count);
        }
        case "run-turned-away":
          return sink.add("codemode.runs.turned_away", { "error.type": event.code, ...clientLabel(event.client) });
        case "server-changed":
          countServerEvent(event, sink);
          if (event.kind === "connected") connected.set(event.serverId, performance.now());
          if (event.kind !== "disconnected") return;
          connected.delete(event.serverId);
          return endConnection(event.serverId, event.afterMs / 1000, event.code);
        case "state-offered":
          return watchState(event.state, sink);
      }
    },
    close() {
      for (const [serverId, since] of connected) endConnection(serverId, (performance.now() - since) / 1000);
    },
  };
}

function measureRequest(event: RequestEvent & { request: RequestFacts }, sink: MetricSink): void {
  const { request } = event;
  if (event.type === "request-admitted")
    return sink.record("codemode.queue.wait", (performance.now() - request.arrivedAt) / 1000, {});
  if (event.type !== "request-ended") return;
  const { toolName, code, isError, rpcCode, durationMs } = event;
  const failure = rpcCode === undefined ? (code ?? (isError ? "tool_error" : undefined)) : rpcLabel(rpcCode);
  sink.record("mcp.server.operation.duration", durationMs / 1000, {
    ...sessionLabels(request),
    ...{ "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" },
    ...withoutUndefined({
      "gen_ai.tool.name": toolName === undefined ? undefined : shortName(toolName),
      "rpc.response.status_code": rpcCode === undefined ? undefined : rpcLabel(rpcCode),
      "error.type": failure,
    }),
  });
}

function measureRun(event: RunEvent & { run: RunFacts }, sink: MetricSink, endpointOf: EndpointOf): void {
  const { run } = event;
  switch (event.type) {
    case "script-ended":
      for (const limit of event.limits) sink.add("codemode.run.limits", { "codemode.limit": limit });
      return;
    case "call-settled":
      return measureCall(event, sink, endpointOf);
    case "run-ended": {
      const { ok, codes, durationMs } = event;
      const labels = { "codemode.run.kind": run.subject.kind, "codemode.run.outcome": ok ? "ok" : "error" };
      sink.add("codemode.runs", { ...labels, "codemode.run.origin": run.origin, ...clientLabel(run.client) });
      sink.record("codemode.run.duration", durationMs / 1000, labels);
      for (const code of codes) sink.add("codemode.run.errors", { "error.type": code });
    }
  }
}

function measureCall(settled: EventOf<"call-settled">, sink: MetricSink, endpointOf: EndpointOf): void {
  const { server, tool, outcome, code, rpcCode, durationMs } = settled;
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
