import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { Requester } from "../../runtime/host/run.ts";
import type { RunRequest } from "./host.ts";

/**
 * A request whose functions are called in the async context of its caller, so that `AsyncLocalStorage` says who asked for it. The events that lead
 * there come from sandboxes, servers and timers that many runs share. This is the one place that captures the context.
 */
export function keepCallerContext<Request extends Requester & Partial<RunRequest>>(request: Request): Request {
  const bind = makeBinder();
  const { approve, ask, askOperator, askOutside, emit, listScripts, record } = request;
  const runId = runIdOf(request);
  const caller: RunCaller = {
    ...{ ...request.caller, runId },
    ...bind({ within: <Value>(work: () => Value) => work() }),
  };
  return {
    ...request,
    ...bind({ approve, ask, askOperator, askOutside, emit, listScripts }),
    ...{ caller, record: record && bind(record), runId: () => runId },
  };
}

/** The one id by which the events and the own tools of a run name it. */
export function runIdOf({ runId }: Requester): string {
  return runId?.() ?? randomUUID();
}

/** The same object, with its functions called in one async context, as methods of what was given. */
type Binder = <Given extends object>(given: Given) => Given;

/** Captures the present context. */
function makeBinder(): Binder {
  const context = new AsyncResource("codemode.run");
  return <Given extends object>(given: Given): Given => {
    const bound = { ...given };
    for (const [name, member] of Object.entries(given))
      if (typeof member === "function")
        Reflect.set(bound, name, (...args: []) => context.runInAsyncScope(member as () => unknown, given, ...args));
    return bound;
  };
}
