/** What a process says that was asked too much: the words that the bundler and the checker share. */
export const TOO_MUCH = "it is nested too deeply, or too large";

/** The bound of a process as a person reads it. */
export function sayProcessorTime(maxProcessorMs: number): string {
  return `${maxProcessorMs / 1000} s of processor time`;
}
