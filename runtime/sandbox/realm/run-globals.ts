import type { ENDOWED_GLOBALS } from "./globals.ts";

/** Globals that each run has for itself, because they lead to its log, timers or random numbers. They are made together. */
export interface RunGlobals {
  names: readonly ((typeof ENDOWED_GLOBALS)[number] | "Math")[];
  /** @param seed four unsigned 32-bit numbers, for what is random */
  make(seed: readonly number[]): Readonly<Record<string, unknown>>;
}

/** How a program can reach a global that it does not name: by the global object, or with an escape in a name. */
const REACHES_ANY = /globalThis(?!\.__codemode_)|\\u/;

/** To look through a longer program, in UTF-16 units, takes as long as to make all globals. */
const MAX_PROGRAM_LENGTH = 20_000;

/**
 * Those that the program may use; the others need not be made, which takes longer than a short run. Programs are strict and get nothing as
 * `this`, so an identifier that stands in them is the only other way to a global.
 */
export function selectRunGlobals(all: readonly RunGlobals[], program: string): readonly RunGlobals[] {
  if (program.length > MAX_PROGRAM_LENGTH || REACHES_ANY.test(program)) return all;
  return all.filter(({ names }) => names.some((name) => program.includes(name)));
}
