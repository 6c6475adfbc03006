import { observeByAll } from "../runtime/host/observe.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config } from "../schemas/config/config.ts";
import type { OnCallbackFailed } from "../schemas/run/call-back.ts";
import type { Observer, RunOrigin } from "../schemas/run/observer.ts";
import type { Log } from "./log/log.ts";
import { loadExtra } from "./process/load-extra.ts";
import type { RunLayer } from "./run/host.ts";

/** All observers of a host. */
export interface OpenObservers {
  /** Undefined without observers, which then cost nothing. */
  observer: Observer | undefined;
  /** Present where every run must be written down. */
  gate?: RunLayer | undefined;
  /** As text for Prometheus; present where `serve.metrics` asks for it. */
  printMetrics?: (() => string) | undefined;
  /** To be called when the host is closed: no events follow. */
  close(): Promise<void>;
}

/** Which observers there are. */
export interface ObserverOptions {
  config: Config;
  origin: RunOrigin;
  /** Those of the caller. */
  others?: readonly Observer[] | undefined;
  /** Where runs are logged. */
  log?: Log | undefined;
  /** Reports a problem of an observer. */
  note: (line: string) => void;
}

/** The observers that configuration and environment request. */
export interface ConfiguredObservers extends Omit<OpenObservers, "observer"> {
  observers: readonly Observer[];
}

/** What writes the audit log, the lines of runs, traces and metrics. */
export interface ObserveExtra {
  /** Loads nothing that is not requested. Rejects with a `CodemodeError`. */
  openConfigured(options: ObserverOptions): Promise<ConfiguredObservers>;
}

/** Different failures of observers that are reported. */
const MOST_REPORTS = 20;

/** Opens the observers of a host. Throws a `CodemodeError`. */
export async function openObservers(options: ObserverOptions): Promise<OpenObservers> {
  const { observers, gate, printMetrics, close } = await openConfigured(options);
  const reported = new Set<string>();
  const onFailed: OnCallbackFailed = (name, error) => {
    const line = `\`${name}\` of the program has failed: ${error instanceof Error ? error.message : String(error)}`;
    if (reported.has(line) || reported.size >= MOST_REPORTS) return;
    reported.add(line);
    options.note(line);
  };
  const observer = observeByAll([...(options.others ?? []), ...observers], onFailed);
  return { observer, gate, printMetrics, close };
}

/** A build without the extra runs what asks for no audit log and no metrics. */
async function openConfigured(options: ObserverOptions): Promise<ConfiguredObservers> {
  const { audit, serve } = options.config;
  try {
    return await (await loadExtra<ObserveExtra>("observe")).openConfigured(options);
  } catch (error) {
    const isMissing = error instanceof CodemodeError && error.code === "EXTRA_MISSING";
    if (!isMissing || audit !== undefined || serve.metrics !== undefined) throw error;
    return { observers: [], close: async () => undefined };
  }
}
