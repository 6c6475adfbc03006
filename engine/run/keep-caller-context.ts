import { AsyncResource } from "node:async_hooks";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { CallRequest } from "../../runtime/host/call-one-tool.ts";
import type { RunLayer, RunRequest } from "./host.ts";
import { withRunId } from "./with-run-id.ts";

/**
 * Calls what a run or call was given in the async context of its caller, so that `AsyncLocalStorage` says who asked for it. The events that lead
 * there come from sandboxes, servers and timers that many runs share. This is the one place that captures the context.
 */
export const keepCallerContext: RunLayer = {
  run: (run) => (request) => {
    const bind = makeBinder();
    return run({ ...bindCommon(request, bind), ...bindOfScript(request, bind) });
  },
  callTool: (call) => (request) => call(bindCommon(request, makeBinder())),
};

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

/** What scripts and single calls are given. */
function bindCommon<Request extends RunRequest | CallRequest>(request: Request, bind: Binder): Request {
  const { approve, ask, emit } = request;
  const identified = withRunId(request);
  const caller: RunCaller = {
    ...{ ...request.caller, runId: identified.runId() },
    ...bind({ within: <Value>(work: () => Value) => work() }),
  };
  return { ...identified, ...bind({ approve, ask, emit }), caller };
}

/** What a script is given beside it. */
function bindOfScript(request: RunRequest, bind: Binder): Partial<RunRequest> {
  const { approveInRun, askOperator, askOperatorInRun, askOutside, listScripts, record } = request;
  return {
    ...bind({ approveInRun, askOperator, askOperatorInRun, askOutside, listScripts }),
    record: record && bind(record),
  };
}
