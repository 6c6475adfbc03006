/** A signal that aborts as soon as one of these does; undefined where none is given. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
