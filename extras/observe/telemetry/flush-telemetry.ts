import { metrics, type ProxyTracerProvider, trace } from "@opentelemetry/api";
import { settlesWithin } from "@codemode/runtime/connections/settles-within";

/** For a collector that does not answer. */
const TIMEOUT_MS = 3000;

/** What the providers of SDKs can, and the API does not know of. */
interface Flushing {
  forceFlush?(): Promise<void>;
}

/** Has the user's SDK export what it still holds: a command ends sooner than its next turn. A failure is the SDK's to tell. */
export async function flushTelemetry(): Promise<void> {
  const tracers = (trace.getTracerProvider() as ProxyTracerProvider).getDelegate?.() as Flushing | undefined;
  const meters = metrics.getMeterProvider() as Flushing;
  await settlesWithin(Promise.allSettled([tracers?.forceFlush?.(), meters.forceFlush?.()]), TIMEOUT_MS);
}
