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

/** Tells all listeners of an event. */
export type Emit<Event> = (event: Event) => void;

/**
 * One function that calls all listeners; undefined where there are none, which costs a run nothing. A listener that fails is not called again, and is
 * reported once.
 */
export function makeEmit<Event>(
  name: string,
  listeners: readonly ((event: Event) => unknown)[],
  onFailed: OnCallbackFailed | undefined,
): Emit<Event> | undefined {
  let live = [...listeners];
  if (live.length === 0) return undefined;
  return (event) => {
    for (const listener of live)
      void callBack(
        name,
        () => listener(event),
        undefined,
        (of, error) => {
          if (!live.includes(listener)) return;
          live = live.filter((one) => one !== listener);
          onFailed?.(of, error);
        },
      );
  };
}

function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return value instanceof Object && typeof (value as { then?: unknown }).then === "function";
}
