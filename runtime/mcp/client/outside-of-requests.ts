import { AsyncResource } from "node:async_hooks";

/**
 * The async context in which this module was loaded. The public entry of the package loads it before any request of a program is under way.
 * Node gives the events of a process, a socket or a timer the context in which it was made.
 */
const outside = new AsyncResource("codemode");

/**
 * Does work outside of the async context of the request that happens to be under way. What lives longer than a request (processes, connections,
 * timers, stores) starts here: its events then belong to no request, and keep none of its `AsyncLocalStorage` stores in memory.
 */
export function outsideOfRequests<Value>(work: () => Value): Value {
  return outside.runInAsyncScope(work);
}
