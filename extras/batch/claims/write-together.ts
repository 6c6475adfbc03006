/** Writes values, those together that come while a write is under way: each waits for its own. */
export function writeTogether<Value>(
  write: (values: readonly Value[]) => Promise<void>,
): (value: Value) => Promise<void> {
  let waiting: Value[] = [];
  let next: Promise<void> | undefined;
  let writing = Promise.resolve();
  return (value) => {
    waiting.push(value);
    next ??= writing
      .catch(() => undefined)
      .then(() => {
        const values = waiting;
        waiting = [];
        next = undefined;
        writing = write(values);
        return writing;
      });
    return next;
  };
}
