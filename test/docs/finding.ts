/** One place where a page says something that the code does not. */
export interface Finding {
  /** In the page, from 1. */
  line: number;
  problem: string;
}

/** A comment in front of a block that leaves it out of a check. */
export const UNCHECKED = "unchecked";
