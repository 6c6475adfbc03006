/** Makes `queueMicrotask`. An error of the callback counts as uncaught. */
export function makeQueueMicrotask(onError: (error: unknown) => void): (callback: () => unknown) => void {
  const settled = Promise.resolve();
  const { then } = Promise.prototype;
  const { queueMicrotask } = {
    queueMicrotask(callback: () => unknown): void {
      if (typeof callback !== "function") throw new TypeError("The argument of queueMicrotask must be a function");
      const run = (): void => {
        try {
          callback();
        } catch (error) {
          onError(error);
        }
      };
      void Reflect.apply(then, settled, [run]);
    },
  };
  return queueMicrotask;
}
