import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallObservation, Observer, RequestObservation, RunObservation } from "../../../schemas/run/observer.ts";

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
      const observations = collect(observers, (observer) => observer.runStarted?.(facts));
      return observations.length === 0 ? undefined : observeRunByAll(observations);
    },
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

/** One observation that tells all of these. */
export function observeRunByAll(runs: readonly RunObservation[]): RunObservation {
  return {
    bundled: (facts) => tell(runs, (run) => run.bundled?.(facts)),
    reviewed: (facts) => tell(runs, (run) => run.reviewed?.(facts)),
    scriptStarted: () => tell(runs, (run) => run.scriptStarted?.()),
    scriptEnded: () => tell(runs, (run) => run.scriptEnded?.()),
    callStarted(facts) {
      const calls = collect(runs, (run) => run.callStarted?.(facts));
      return calls.length === 0 ? undefined : observeCallByAll(calls);
    },
    asked: (facts) => tell(runs, (run) => run.asked?.(facts)),
    limitHit: (limit) => tell(runs, (run) => run.limitHit?.(limit)),
    ended: (end) => tell(runs, (run) => run.ended?.(end)),
  };
}

function observeCallByAll(calls: readonly CallObservation[]): CallObservation {
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
