/** One way to try to get out of the sandbox. */
export interface Attack {
  name: string;
  /** The body of an async function, with the probes at hand; what it returns that is true is what it got. */
  code: string;
  /** True where the script must not even start. */
  isRefused?: true;
  /** The error of its own that it may end with, where Node decides by what is left of the stack. */
  mayEndWith?: string;
}

/** Makes attacks from a table of names and bodies. */
export function toAttacks(table: Record<string, string>): Attack[] {
  return Object.entries(table).map(([name, code]) => ({ name, code }));
}
