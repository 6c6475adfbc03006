import { Writable } from "node:stream";

let own: NodeJS.WriteStream | undefined;

/** Where results go, and the messages of `codemode serve`. */
export function standardOutput(): NodeJS.WriteStream {
  return own ?? process.stdout;
}

/**
 * Keeps standard output to codemode alone: programs read results and a protocol there. What a library prints, by `console.log` or
 * `process.stdout`, here or in a thread, goes nowhere. Has to come before the first use of `console`.
 */
export function keepStandardOutput(): void {
  if (own !== undefined) return;
  own = process.stdout;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => nowhere });
}
