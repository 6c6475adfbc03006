/** What the user's OpenTelemetry SDK has registered in this process. */
export interface RegisteredTelemetry {
  traces: boolean;
  metrics: boolean;
}

/** Where every copy of `@opentelemetry/api` 1.x registers (its `internal/global-utils`): to look costs nothing, and to import it some milliseconds. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** Looks for an SDK that was loaded before codemode, with `node --import`. */
export function findTelemetry(): RegisteredTelemetry {
  const registry = (globalThis as { [REGISTRY]?: { trace?: unknown; metrics?: unknown } })[REGISTRY];
  return { traces: registry?.trace !== undefined, metrics: registry?.metrics !== undefined };
}
