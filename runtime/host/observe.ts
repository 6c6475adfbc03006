import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { CallObservation, Observer, RequestObservation, RunSink } from "../../schemas/run/observer.ts";

/** One observer that tells all of these; undefined where there are none, which costs a host nothing. One that throws is passed over. */
export function observeByAll(observers: readonly Observer[]): Observer | undefined {
  if (observers.length === 0) return undefined;
  return {
    requestStarted(facts) {
      const observations = collect(observers, (observer) => observer.requestStarted?.(facts));
      return observations.length === 0 ? undefined : observeRequestByAll(observations);
    },
    sessionStarted(facts) {
      const ends = collect(observers, (observer) => observer.sessionStarted?.(facts));
      return () => tell(ends, (end) => end());
    },
    runStarted(facts) {
      return joinSinks(collect(observers, (observer) => observer.runStarted?.(facts)));
    },
    accessRefused: (facts) => tell(observers, (observer) => observer.accessRefused?.(facts)),
    runTurnedAway: (facts) => tell(observers, (observer) => observer.runTurnedAway?.(facts)),
    serverEvent: (event) => tell(observers, (observer) => observer.serverEvent?.(event)),
    stateOffered: (state) => tell(observers, (observer) => observer.stateOffered?.(state)),
  };
}

function observeRequestByAll(requests: readonly RequestObservation[]): RequestObservation {
  const [trace] = collect(requests, (request) => request.trace);
  return {
    trace,
    admitted: () => tell(requests, (request) => request.admitted?.()),
    failed: (code) => tell(requests, (request) => request.failed?.(code)),
    named: (toolName) => tell(requests, (request) => request.named?.(toolName)),
    ended: (end) => tell(requests, (request) => request.ended?.(end)),
  };
}

/** One sink that tells all of these; undefined where there are none. */
export function joinSinks(sinks: readonly (RunSink | undefined)[]): RunSink | undefined {
  const runs = sinks.filter((sink) => sink !== undefined);
  if (runs.length === 0) return undefined;
  const logs = runs.flatMap(({ logged }) => logged ?? []);
  const calls = runs.flatMap(({ callEvent }) => callEvent ?? []);
  const joined: RunSink = {
    // These two are the caller's own, which is to learn of its mistakes.
    logged: logs.length === 0 ? undefined : (entry) => logs.forEach((tellLog) => tellLog(entry)),
    callEvent: calls.length === 0 ? undefined : (event) => calls.forEach((tellCall) => tellCall(event)),
    bundled: (facts) => tell(runs, (run) => run.bundled?.(facts)),
    reviewed: (facts) => tell(runs, (run) => run.reviewed?.(facts)),
    scriptStarted: () => tell(runs, (run) => run.scriptStarted?.()),
    scriptEnded: () => tell(runs, (run) => run.scriptEnded?.()),
    callReviewed: (facts) => tell(runs, (run) => run.callReviewed?.(facts)),
    asked: (facts) => tell(runs, (run) => run.asked?.(facts)),
    limitHit: (limit) => tell(runs, (run) => run.limitHit?.(limit)),
    ended: (end) => tell(runs, (run) => run.ended?.(end)),
  };
  if (runs.some(({ callStarted }) => callStarted !== undefined))
    joined.callStarted = (facts) => observeCallByAll(collect(runs, (run) => run.callStarted?.(facts)));
  return joined;
}

function observeCallByAll(calls: readonly CallObservation[]): CallObservation | undefined {
  if (calls.length === 0) return undefined;
  const metas = collect(calls, ({ meta }) => meta);
  return {
    meta: metas.length === 0 ? undefined : (Object.assign({}, ...metas) as JsonObject),
    within: (send) => calls.reduce((inner, { within }) => (within === undefined ? inner : () => within(inner)), send)(),
    ended: (end) => tell(calls, (call) => call.ended?.(end)),
  };
}

function tell<Listener>(listeners: readonly Listener[], say: (listener: Listener) => void): void {
  collect(listeners, say);
}

/** The results of the observers, without undefined ones. A failing observer must not stop a run. */
function collect<Listener, Answer>(
  listeners: readonly Listener[],
  ask: (listener: Listener) => Answer | undefined,
): Answer[] {
  const answers: Answer[] = [];
  for (const listener of listeners) {
    try {
      const answer = ask(listener);
      if (answer !== undefined) answers.push(answer);
    } catch {
      // Not reported: observers are the reporting channel.
    }
  }
  return answers;
}

/** The bytes of a value as JSON; 0 where it is nested too deep to be printed. */
export function jsonBytes(value: JsonValue): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}
