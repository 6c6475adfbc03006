/** Writes values, those together that come while a write is under way: each waits for its own. */
export function writeTogether<Value, Outcome>(
  write: (values: readonly Value[]) => Promise<Outcome>,
): (value: Value) => Promise<Outcome> {
  let waiting: Value[] = [];
  let next: Promise<Outcome> | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  return (value) => {
    waiting.push(value);
    next ??= writing
      .catch(() => undefined)
      .then(() => {
        const values = waiting;
        [waiting, next] = [[], undefined];
        return write(values);
      });
    writing = next;
    return next;
  };
}
