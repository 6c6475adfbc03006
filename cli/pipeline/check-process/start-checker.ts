import type { Diagnostic } from "../../../schemas/answer.ts";
import type { Lockfile } from "../../../schemas/lockfile.ts";
import { makeAnsweringProcess } from "../answering-process.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import type { PackageScope } from "../bundle/packages/package-imports.ts";
import { type CheckRequest, toCheckRequest } from "../check/check-request.ts";
import { UNCHECKABLE } from "../check/uncheckable.ts";

/** Type-checks scripts against locked declarations. */
export interface Checker {
  /**
   * Type errors of the script, as `TYPE_ERROR` diagnostics in the order of the source. A warning runs, but likely not as it was
   * meant; an info is a matter of style.
   *
   * @param asker the client whose script it is: clients take turns
   */
  check(script: ScriptSource, lockfile: Lockfile, asker?: string): Promise<Diagnostic[]>;
  /** Starts the process before the first script comes. */
  warm(): void;
  close(): Promise<void>;
}

const MAX_HEAP_MEGABYTES = 512;
const TIMEOUT_MS = 10_000;

/**
 * Makes a checker in a process of its own, which starts with the first script: a type can be written in one line that takes hours
 * to find out. What one check has read of the language and the tools, the next one need not read again.
 */
export function startChecker(packages?: PackageScope): Checker {
  const { ask, warm, close } = makeAnsweringProcess<CheckRequest, Diagnostic[]>({
    program: new URL("./main.js", import.meta.url),
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    check: async (script, lockfile, asker) =>
      (await ask(toCheckRequest(script, lockfile, packages), asker)) ?? [UNCHECKABLE],
    warm,
    close,
  };
}
