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

type RunEvent = Exclude<keyof RunSink, "logged" | "callEvent" | "callStarted">;

const RUN_EVENTS = Object.keys({
  ...{ bundled: true, reviewed: true, scriptStarted: true, scriptEnded: true },
  ...{ callReviewed: true, asked: true, limitHit: true, ended: true },
} satisfies Record<RunEvent, true>) as RunEvent[];

/** What `joinSinks` has made: joined once more alone, it would do the same in more steps. */
const joinedSinks = new WeakSet<RunSink>();

/** One sink that tells all of these, with the members that one of them has; undefined where there are none. */
export function joinSinks(sinks: readonly (RunSink | undefined)[]): RunSink | undefined {
  const runs = sinks.filter((sink) => sink !== undefined);
  const [first] = runs;
  if (first === undefined || (runs.length === 1 && joinedSinks.has(first))) return first;
  const joined: RunSink = {};
  // These two are the caller's own, which is to learn of its mistakes.
  const logs = runs.flatMap(({ logged }) => logged ?? []);
  if (logs.length > 0) joined.logged = (entry) => logs.forEach((tellLog) => tellLog(entry));
  const calls = runs.flatMap(({ callEvent }) => callEvent ?? []);
  if (calls.length > 0) joined.callEvent = (event) => calls.forEach((tellCall) => tellCall(event));
  for (const event of RUN_EVENTS)
    if (runs.some((run) => run[event] !== undefined))
      Reflect.set(joined, event, (facts: never) => tell(runs, (run) => run[event]?.(facts)));
  if (runs.some(({ callStarted }) => callStarted !== undefined))
    joined.callStarted = (facts) => observeCallByAll(collect(runs, (run) => run.callStarted?.(facts)));
  if (Object.keys(joined).length === 0) return undefined;
  joinedSinks.add(joined);
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
