import type { ObserveExtra } from "../../engine/observers.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";

/** Opens what configuration and environment request, and loads nothing else. Throws a `CodemodeError`. */
const openConfigured: ObserveExtra["openConfigured"] = async ({ config, origin, log, note }) => {
  const audit = config.audit && (await import("./audit/open-audit.ts")).openAudit(config, config.audit, note);
  const logging = log && (await import("./log/log-events.ts")).logEvents(log);
  const telemetry = await openTelemetry(config, origin);
  return {
    listeners: [...(audit?.listeners ?? []), ...(logging === undefined ? [] : [logging]), ...telemetry.listeners],
    tracing: telemetry.tracing,
    gate: audit?.gate,
    printMetrics: telemetry.printMetrics,
    async close() {
      await telemetry.close();
      await audit?.close();
    },
  };
};

export const extra: ObserveExtra = { openConfigured };
