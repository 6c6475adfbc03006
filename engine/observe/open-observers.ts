import { observeByAll } from "../../runtime/host/observe/observe-by-all.ts";
import type { Observer, RunOrigin } from "../../schemas/run/observer.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { Host } from "../host/host.ts";
import type { OpenAudit } from "./audit/open-audit.ts";
import type { Log } from "./log/log.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";

/** All observers of a host. */
export interface OpenObservers {
  /** Undefined without observers, which then cost nothing. */
  observer: Observer | undefined;
  /** The host, observed. */
  observe(host: Host): Promise<Host>;
  /** As text for Prometheus; present where `serve.metrics` asks for it. */
  printMetrics?: () => string;
  /** To be called when the host is closed: no events follow. */
  close(): Promise<void>;
}

/** Which observers there are. */
export interface ObserverOptions {
  config: Config;
  origin: RunOrigin;
  /** Those of the caller. */
  others?: readonly Observer[];
  /** Where runs are logged. */
  log?: Log;
  /** Reports a problem of an observer. */
  note: (line: string) => void;
}

/** Opens the observers that configuration and environment request, and loads nothing else. Throws a `CodemodeError`. */
export async function openObservers({
  config,
  origin,
  log,
  note,
  others = [],
}: ObserverOptions): Promise<OpenObservers> {
  const observers: Observer[] = [...others];
  let audit: OpenAudit | undefined;
  if (config.audit !== undefined) {
    const { openAudit } = await import("./audit/open-audit.ts");
    audit = openAudit(config, config.audit, note);
    observers.push(audit.observer);
  }
  if (log !== undefined) {
    const { makeLogObserver } = await import("./log/log-observer.ts");
    observers.push(makeLogObserver(log));
  }
  const telemetry = await openTelemetry(config, origin);
  observers.push(...telemetry.observers);
  const observer = observeByAll(observers);
  return {
    observer,
    async observe(host) {
      const guarded = audit?.guard(host) ?? host;
      if (observer === undefined) return guarded;
      const { withObserver } = await import("../host/with-observer.ts");
      return withObserver(guarded, { observer, origin });
    },
    ...(telemetry.printMetrics === undefined ? {} : { printMetrics: telemetry.printMetrics }),
    async close() {
      await telemetry.close();
      audit?.close();
    },
  };
}
