import { callBack, makeEmit, type OnCallbackFailed } from "../schemas/run/call-back.ts";
import type { Emit, HostEvent, HostEvents, Tracing } from "../schemas/run/events.ts";
import type { HostListener, HostSettings } from "./open/host-settings.ts";
import { findExtra, loadExtra } from "./process/load-extra.ts";
import type { AuditGate } from "./run/audit-gate.ts";

/** All that hear a host. */
export interface OpenObservers extends Omit<ConfiguredObservers, "listeners" | "tracing"> {
  /** Undefined where no one listens, which then costs nothing. */
  events: HostEvents | undefined;
}

/** What configuration and environment request. */
export interface ConfiguredObservers {
  listeners: readonly HostListener[];
  /** Present where requests get the trace contexts of their calls. */
  tracing?: Tracing | undefined;
  /** Present where every run must be written down. */
  gate?: AuditGate | undefined;
  /** As text for Prometheus; present where `serve.metrics` asks for it. */
  printMetrics?: (() => string) | undefined;
  /** To be called when the host is closed: no events follow. */
  close(): Promise<void>;
}

/** What writes the audit log, the lines of runs, traces and metrics. */
export interface ObserveExtra {
  /** Loads nothing that is not requested. Rejects with a `CodemodeError`. */
  openConfigured(settings: Pick<HostSettings, "config" | "origin" | "log" | "note">): Promise<ConfiguredObservers>;
}

/** Different failures of listeners that are reported. */
const MOST_REPORTS = 20;

/** Opens all that hear a host. Throws a `CodemodeError`. */
export async function openObservers({
  config,
  origin,
  observers = [],
  log,
  note,
}: HostSettings): Promise<OpenObservers> {
  const report = log?.error ?? note;
  const { listeners, tracing, ...opened } = await openConfigured({ config, origin, log, note: report });
  return { events: makeHostEvents([...observers, ...listeners], tracing, report), ...opened };
}

/**
 * The events of a host, for these listeners; undefined where there are none, and nothing is traced.
 * @param note gets one line for each different failure
 */
export function makeHostEvents(
  listeners: readonly HostListener[],
  tracing: Tracing | undefined,
  note: (line: string) => void,
): HostEvents | undefined {
  if (listeners.length === 0 && tracing === undefined) return undefined;
  const reported = new Set<string>();
  const onFailed: OnCallbackFailed = (name, error) => {
    const line = `\`${name}\` of the program has failed: ${error instanceof Error ? error.message : String(error)}`;
    if (reported.has(line) || reported.size >= MOST_REPORTS) return;
    reported.add(line);
    note(line);
  };
  const named = listeners.map((listener) => [NAME, listener] as const);
  const open = (): Emit<HostEvent> | undefined => makeEmit<HostEvent>(named, onFailed);
  return { open, emit: (event) => open()?.(event), tracing: tracing && holdTracing(tracing, onFailed) };
}

const NAME = "observers";

/** What fails to trace a call ends neither it nor its run. */
function holdTracing({ traceOf, enter }: Tracing, onFailed: OnCallbackFailed): Tracing {
  const hold = <Value>(call: () => Value) => callBack(NAME, call, undefined, onFailed) as Value | undefined;
  return { traceOf: (request) => hold(() => traceOf(request)), enter: (...call) => hold(() => enter(...call)) };
}

/** A build without the extra runs what asks for no audit log and no metrics. */
async function openConfigured(settings: Parameters<ObserveExtra["openConfigured"]>[0]): Promise<ConfiguredObservers> {
  const { audit, serve } = settings.config;
  const isNeeded = audit !== undefined || serve.metrics !== undefined;
  const extra = await (isNeeded ? loadExtra<ObserveExtra>("observe") : findExtra<ObserveExtra>("observe"));
  return extra?.openConfigured(settings) ?? { listeners: [], close: async () => undefined };
}
