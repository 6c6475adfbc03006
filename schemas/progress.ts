/** How far long work has come. */
export interface Progress {
  done: number;
  total: number;
  /** How many have failed. */
  failed?: number;
  /** The names of what is still waited for. */
  waiting?: readonly string[];
  /** What there is to say in place of these numbers; without a known `total`, which is 0 then, no bar is shown. */
  text?: string;
}

/** Receives progress; the work does not depend on it. */
export type OnProgress = (progress: Progress) => void;

/** Shows the progress of some work until it is ended. */
export type ShowWork = (label: string) => { update: OnProgress; end: () => void };

/** Counts parts of some work by their names: tells of all of them at once, and again whenever one has ended. */
export function countParts(names: readonly string[], onProgress: OnProgress): (name: string) => void {
  const waiting = new Set(names);
  const report = (): void =>
    onProgress({ done: names.length - waiting.size, total: names.length, waiting: [...waiting] });
  report();
  return (name) => {
    if (waiting.delete(name)) report();
  };
}
