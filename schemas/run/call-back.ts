import type { Emit } from "./events.ts";

/** Hears that a callback of the program has failed: its name, and what it has thrown. */
export type OnCallbackFailed = (name: string, error: unknown) => void;

/**
 * The one way in which a function of the program is called that is no tool. What it throws, or its promise rejects with, is reported, and `otherwise` is
 * the answer: an exception in the program's code ends neither the process nor the run.
 */
export function callBack<Answer, Otherwise>(
  name: string,
  call: () => Answer | PromiseLike<Answer>,
  otherwise: Otherwise,
  onFailed: OnCallbackFailed | undefined,
): Answer | Otherwise | Promise<Answer | Otherwise> {
  const fail = (error: unknown): Otherwise => {
    onFailed?.(name, error);
    return otherwise;
  };
  try {
    const answer = call();
    return isPromise(answer) ? Promise.resolve(answer).catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

/** A function that hears events, with its name in reports; undefined where there is none. */
export type NamedListener<Event> = readonly [name: string, listener: ((event: Event) => unknown) | undefined];

/**
 * The one place that calls listeners; undefined where there are none: then `emit?.({ … })` makes no event. A listener that throws, or whose promise
 * rejects, hears nothing more from this emit, and is reported once.
 */
export function makeEmit<Event>(
  listeners: readonly NamedListener<Event>[],
  onFailed?: OnCallbackFailed,
): Emit<Event> | undefined {
  const given = listeners.flatMap(([name, listener]) => (listener === undefined ? [] : [{ name, listener }]));
  if (given.length === 0) return undefined;
  let live = given.map(({ name, listener }) => {
    const fail: OnCallbackFailed = (of, error) => {
      if (!live.includes(tell)) return;
      live = live.filter((other) => other !== tell);
      onFailed?.(of, error);
    };
    const tell = (event: Event) => void callBack(name, () => listener(event), undefined, fail);
    return tell;
  });
  return (event) => {
    for (const tell of live) tell(event);
  };
}

function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return value instanceof Object && typeof (value as { then?: unknown }).then === "function";
}
