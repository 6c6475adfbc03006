import type { ConfiguredObservers, ObserverOptions } from "../../engine/observers.ts";
import type { Observer } from "../../schemas/run/observer.ts";
import type { OpenAudit } from "./audit/open-audit.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";

/** Opens the observers that configuration and environment request, and loads nothing else. Throws a `CodemodeError`. */
export async function openConfigured({ config, origin, log, note }: ObserverOptions): Promise<ConfiguredObservers> {
  const observers: Observer[] = [];
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
  return {
    observers: [...observers, ...telemetry.observers],
    gate: audit?.gate,
    printMetrics: telemetry.printMetrics,
    async close() {
      await telemetry.close();
      audit?.close();
    },
  };
}
