import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { capDiagnostics } from "../../../schemas/run/cap-diagnostics.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { CompletionList, WordView } from "../../../schemas/ui-messages.ts";
import { makeAnsweringProcess } from "../../process/answering-process.ts";
import type { ScriptSource } from "../../bundle/bundle-script.ts";
import type { PackageScope } from "../../bundle/packages/package-imports.ts";
import { type CheckerQuestion, type CheckRequest, toCheckRequest } from "../check-request.ts";
import { describeLate } from "../../process/describe-unanswered.ts";
import { UNCHECKABLE, UNCHECKED } from "../uncheckable.ts";

/** Type-checks scripts against locked declarations. */
export interface Checker {
  /**
   * Type errors of the script, as `TYPE_ERROR` diagnostics in the order of the source. A warning runs, but likely not as it was
   * meant; an info is a matter of style.
   *
   * @param clientId the client whose script it is: clients take turns
   * @param resultTypes as in `CheckRequest`
   */
  check(
    script: ScriptSource,
    lockfile: Lockfile,
    clientId?: string,
    resultTypes?: CheckRequest["resultTypes"],
  ): Promise<Diagnostic[]>;
  /** What may be written at a place of the script, for an editor. */
  complete(script: ScriptSource, lockfile: Lockfile, offset: number): Promise<CompletionList>;
  /** What is known of the word at a place of the script, for an editor. */
  describe(script: ScriptSource, lockfile: Lockfile, offset: number): Promise<WordView | undefined>;
  /** Starts the process before the first script comes. */
  warm(): void;
  close(): Promise<void>;
}

const MAX_HEAP_MEGABYTES = 512;
const TIMEOUT_MS = 10_000;

/**
 * Makes a checker in a process of its own, which starts with the first script: a type can be written in one line that takes hours
 * to find out. What one check has read of the language and the tools, the next one need not read again.
 *
 * @param timeoutMs for one question, in milliseconds
 */
export function startChecker(packages?: PackageScope, timeoutMs = TIMEOUT_MS): Checker {
  const { ask, warm, close } = makeAnsweringProcess<CheckerQuestion, unknown>({
    program: new URL("./main.js", import.meta.url),
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    timeoutMs,
  });
  // Our own program answers each question with what the checker has for it.
  return {
    async check(script, lockfile, clientId, resultTypes) {
      const request = { ...toCheckRequest(script, lockfile, packages), ...(resultTypes && { resultTypes }) };
      const asked = await ask({ kind: "check", request }, clientId);
      if (asked.kind === "late") return [describeLate(UNCHECKED, timeoutMs)];
      return capDiagnostics(asked.kind === "answered" ? (asked.answer as Diagnostic[]) : [UNCHECKABLE]);
    },
    async complete(script, lockfile, offset) {
      const request = toCheckRequest(script, lockfile, packages);
      const asked = await ask({ kind: "complete", request, offset });
      if (asked.kind === "answered") return asked.answer as CompletionList;
      return { from: offset, isAnything: false, items: [] };
    },
    async describe(script, lockfile, offset) {
      const request = toCheckRequest(script, lockfile, packages);
      const asked = await ask({ kind: "describe", request, offset });
      return asked.kind === "answered" ? (asked.answer as WordView | undefined) : undefined;
    },
    warm,
    close,
  };
}
