import { type Diagnostic, capDiagnostics } from "../../../schemas/run/answer.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { CompletionList, WordView } from "../../../schemas/editor.ts";
import { type AnsweringProcessOptions, makeAnsweringProcess } from "../../process/answering-process.ts";
import type { ScriptSource } from "../../bundle/bundle-script.ts";
import type { PackageScope } from "../../bundle/packages/package-imports.ts";
import {
  type CheckerTask,
  type CheckRequest,
  toCheckRequest,
  describeLate,
  describeUnstarted,
  UNCHECKABLE,
} from "../check-request.ts";

/** Type-checks scripts against locked declarations. */
export interface Checker {
  /**
   * Type errors of the script, as `TYPE_ERROR` diagnostics in the order of the source. A warning runs, but likely not as it was
   * meant; an info is a matter of style.
   *
   * A check that reached its bound is the warning `CHECK_INCOMPLETE`.
   */
  check(script: ScriptSource, lockfile: Lockfile, options?: CheckerStart): Promise<Diagnostic[]>;
  /** What may be written at a place of the script, for an editor. */
  complete(script: ScriptSource, lockfile: Lockfile, offset: number): Promise<CompletionList>;
  /** What is known of the word at a place of the script, for an editor. */
  describe(script: ScriptSource, lockfile: Lockfile, offset: number): Promise<WordView | undefined>;
  /** Starts the process before the first script comes. */
  warm(): void;
  close(): Promise<void>;
}

export interface CheckerStart extends Pick<CheckRequest, "resultTypes" | "failedAt"> {
  /** The client whose script it is: clients take turns. */
  clientId?: string | undefined;
  /** Takes back a check whose turn has not come. */
  signal?: AbortSignal | undefined;
}

const MAX_HEAP_MEGABYTES = 512;
const MAX_PROCESSOR_MS = 10_000;

/**
 * Makes a checker in a process of its own, which starts with the first script: a type can be written in one line that takes hours
 * to find out. What one check has read of the language and the tools, the next one need not read again.
 *
 * @param options.program of the process
 */
export function startChecker(
  packages?: PackageScope,
  {
    maxProcessorMs = MAX_PROCESSOR_MS,
    program = new URL("./main.js", import.meta.url),
    restMs,
  }: Partial<AnsweringProcessOptions> = {},
): Checker {
  const { ask, warm, close } = makeAnsweringProcess<CheckerTask, unknown>({
    ...{ program, maxHeapMegabytes: MAX_HEAP_MEGABYTES },
    ...{ maxProcessorMs, restMs },
  });
  // Our own program answers each question with what the checker has for it.
  const askAt = async (kind: CheckerTask["kind"], script: ScriptSource, lockfile: Lockfile, offset: number) => {
    const asked = await ask({ kind, request: toCheckRequest(script, lockfile, packages), offset });
    return asked.kind === "answered" ? asked.answer : undefined;
  };
  return {
    async check(script, lockfile, { clientId, signal, ...options } = {}) {
      const request = { ...toCheckRequest(script, lockfile, packages), ...options };
      const asked = await ask({ kind: "check", request, offset: 0 }, clientId, signal);
      if (asked.kind === "answered") return capDiagnostics(asked.answer as Diagnostic[]);
      if (asked.kind === "late") return [describeLate(maxProcessorMs)];
      return [asked.kind === "ended" ? UNCHECKABLE : describeUnstarted(asked.remedy)];
    },
    async complete(script, lockfile, offset) {
      const found = (await askAt("complete", script, lockfile, offset)) as CompletionList | undefined;
      return found ?? { from: offset, isAnything: false, items: [] };
    },
    describe: async (script, lockfile, offset) =>
      (await askAt("describe", script, lockfile, offset)) as WordView | undefined,
    warm,
    close,
  };
}

/**
 * The type errors at places of which nothing is said yet. What was thrown somewhere does not say that its types are wrong, and what was too much for the
 * bundler need not be too much for the checker as well.
 */
export function findingsBesides(typeErrors: readonly Diagnostic[], said: readonly Diagnostic[]): Diagnostic[] {
  const places = new Set(said.filter(({ code }) => code !== "UNCAUGHT_EXCEPTION").map(({ path }) => path));
  const isRefused = said.some(({ code }) => code === "SYNTAX_ERROR" || code === "BUNDLE_FAILURE");
  return typeErrors.filter(
    ({ code, path }) => (path === undefined || !places.has(path)) && !(isRefused && code === "CHECK_INCOMPLETE"),
  );
}
