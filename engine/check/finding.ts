/** Something about the types of a module, at an offset of its text. */
export interface Finding {
  start: number;
  /** An error is sure to be a mistake; a warning runs, but likely not as it was meant; an info is a matter of style. */
  severity: "error" | "warning" | "info";
  message: string;
  hint: string;
  /** What an error is if it rests on observed results alone; undefined where it is no mistake then. */
  ifObserved?: Finding["severity"] | undefined;
}
