/**
 * Writes values, those together that come while a write is under way: each waits for its own.
 * @returns takes a value; with `withinMs` it may wait for others for so long, in milliseconds, and the next one without takes it along
 */
export function writeTogether<Value, Outcome>(
  write: (values: readonly Value[]) => Promise<Outcome>,
): (value: Value, withinMs?: number) => Promise<Outcome> {
  let waiting: Value[] = [];
  let next: { begin: () => void; written: Promise<Outcome> } | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const plan = () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const written = Promise.all([begun, writing.catch(() => undefined)]).then(() => {
      const values = waiting;
      [waiting, next] = [[], undefined];
      return write(values);
    });
    writing = written;
    return { begin, written };
  };
  return (value, withinMs) => {
    waiting.push(value);
    const { begin, written } = (next ??= plan());
    if (withinMs === undefined) begin();
    else setTimeout(begin, withinMs);
    return written;
  };
}
