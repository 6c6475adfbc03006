import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { callBack, makeEmit, type OnCallbackFailed } from "../../schemas/run/call-back.ts";
import type { CallObservation, Observer, RequestObservation, RunSink } from "../../schemas/run/observer.ts";

/**
 * One observer that tells all of these; undefined where there are none, which costs a host nothing. What one throws stops nothing.
 * @param onFailed hears of it
 */
export function observeByAll(observers: readonly Observer[], onFailed?: OnCallbackFailed): Observer | undefined {
  if (observers.length === 0) return undefined;
  const { tell, collect } = makeTelling(onFailed);
  return {
    requestStarted(facts) {
      const observations = collect(observers, (observer) => observer.requestStarted?.(facts));
      return observations.length === 0 ? undefined : observeRequestByAll(observations, onFailed);
    },
    sessionStarted(facts) {
      const ends = collect(observers, (observer) => observer.sessionStarted?.(facts));
      return () => tell(ends, (end) => end());
    },
    runStarted(facts) {
      return joinSinks(
        collect(observers, (observer) => observer.runStarted?.(facts)),
        onFailed,
      );
    },
    accessRefused: (facts) => tell(observers, (observer) => observer.accessRefused?.(facts)),
    runTurnedAway: (facts) => tell(observers, (observer) => observer.runTurnedAway?.(facts)),
    serverEvent: (event) => tell(observers, (observer) => observer.serverEvent?.(event)),
    stateOffered: (state) => tell(observers, (observer) => observer.stateOffered?.(state)),
  };
}

function observeRequestByAll(
  requests: readonly RequestObservation[],
  onFailed: OnCallbackFailed | undefined,
): RequestObservation {
  const { tell, collect } = makeTelling(onFailed);
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

/**
 * One sink that tells all of these, with the members that one of them has; undefined where there are none.
 * @param onFailed hears what one of them throws
 */
export function joinSinks(sinks: readonly (RunSink | undefined)[], onFailed?: OnCallbackFailed): RunSink | undefined {
  const runs = sinks.filter((sink) => sink !== undefined);
  const [first] = runs;
  if (first === undefined || (runs.length === 1 && joinedSinks.has(first))) return first;
  const { tell, collect } = makeTelling(onFailed);
  const joined: RunSink = {};
  const logged = makeEmit(
    "onLog",
    runs.flatMap((run) => run.logged ?? []),
    onFailed,
  );
  if (logged !== undefined) joined.logged = logged;
  const callEvent = makeEmit(
    "onCall",
    runs.flatMap((run) => run.callEvent ?? []),
    onFailed,
  );
  if (callEvent !== undefined) joined.callEvent = callEvent;
  for (const event of RUN_EVENTS)
    if (runs.some((run) => run[event] !== undefined))
      Reflect.set(joined, event, (facts: never) => tell(runs, (run) => run[event]?.(facts)));
  if (runs.some(({ callStarted }) => callStarted !== undefined))
    joined.callStarted = (facts) =>
      observeCallByAll(
        collect(runs, (run) => run.callStarted?.(facts)),
        onFailed,
      );
  if (Object.keys(joined).length === 0) return undefined;
  joinedSinks.add(joined);
  return joined;
}

function observeCallByAll(
  calls: readonly CallObservation[],
  onFailed: OnCallbackFailed | undefined,
): CallObservation | undefined {
  if (calls.length === 0) return undefined;
  const { tell, collect } = makeTelling(onFailed);
  const metas = collect(calls, ({ meta }) => meta);
  return {
    meta: metas.length === 0 ? undefined : (Object.assign({}, ...metas) as JsonObject),
    within: (send) => calls.reduce((inner, { within }) => (within === undefined ? inner : () => within(inner)), send)(),
    ended: (end) => tell(calls, (call) => call.ended?.(end)),
  };
}

/** What calls observers: `collect` gives their results, without undefined ones. */
function makeTelling(onFailed: OnCallbackFailed | undefined) {
  const collect = <Listener, Answer>(
    listeners: readonly Listener[],
    ask: (listener: Listener) => Answer | undefined,
  ): Answer[] =>
    listeners.flatMap((listener): Answer[] => {
      const answer = callBack("observers", () => ask(listener), undefined, onFailed);
      // An observer that answers later has said nothing.
      return answer === undefined || answer instanceof Promise ? [] : [answer];
    });
  const tell = <Listener>(listeners: readonly Listener[], say: (listener: Listener) => void): void =>
    void collect(listeners, say);
  return { collect, tell };
}

/** The bytes of a value as JSON; 0 where it is nested too deep to be printed. */
export function jsonBytes(value: JsonValue): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}
