import { delay } from "../../engine/clock.ts";
import type { Journal } from "./journal.ts";
import type { RunInput } from "./run-batch.ts";
import type { Engine, Project } from "../../library/index.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { SkippedCall } from "../../schemas/run/events.ts";
import { printSkippedCall } from "../../schemas/run/tool-call-event.ts";
import type { Invocation } from "../../cli/command.ts";
import { readScriptArgument } from "../../cli/open-project.ts";
import { approverOf, askerOf } from "../../cli/print/ask-on-terminal.ts";
import { noteOpenQuestions } from "../../cli/print/note-open-questions.ts";
import { printLog } from "../../cli/print/print-answer.ts";
import type { ProgressLine } from "../../cli/print/progress-line.ts";
import { readLimits, readWholeNumber } from "../../cli/read-run-options.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type RunAnswer, errorsOf, exitCodeOf, nextStepOf, printDiagnostic } from "../../schemas/run/answer.ts";

/** How a batch runs. */
interface BatchRunning {
  invocation: Invocation;
  project: Project;
  pinned: PinnedBundle;
  progress: ProgressLine;
  concurrency: number;
  retries: number;
  isDryRun: boolean;
}

/** Bundles the script once for all inputs. Prints its problems and returns undefined if it cannot be bundled. */
export async function pinBatchScript(invocation: Invocation, project: Project): Promise<PinnedBundle | undefined> {
  const { options, context } = invocation;
  const { output, showProgress, signal } = context;
  const script = await project.read(await readScriptArgument(invocation, "run"));
  if ("bundle" in script) return script.bundle;
  const frozen = options.has("frozen");
  const outcome = await project.bundle(script, { frozen, signal, showProgress, onNote: output.note });
  for (const line of (outcome.ok ? outcome.warnings : outcome.diagnostics).flatMap(printDiagnostic)) output.note(line);
  return outcome.ok ? outcome.pinned : undefined;
}

/** What runs the inputs of a batch. */
export interface BatchEngine {
  run: RunInput;
  /** Removes what is kept of a run beside its result; one that waits stays. */
  forget: (answer: RunAnswer) => Promise<void>;
  /** The same for the runs of a batch that have ended, and whose results its journal has: a process ended in between. */
  forgetFinished: (journal: Pick<Journal, "batch" | "finishedOf">) => Promise<void>;
  close: () => Promise<void>;
}

/** Opens an engine for the script of a batch; logs, skipped calls and retries are noted with the line of their input. */
export async function openBatchEngine(running: BatchRunning): Promise<BatchEngine> {
  const { invocation, project, pinned, progress, concurrency, retries, isDryRun } = running;
  const { options, context } = invocation;
  const { output, signal } = context;
  const { approve, approvalBy } = approverOf(options.has("approve"), context);
  const ask = askerOf(signal);
  const script = { bundle: pinned };
  const engine: Engine = await project.openEngine({
    ...{ script, limits: readLimits(options), concurrency, signal, onNote: output.note, frozen: options.has("frozen") },
    ...{ origin: "batch", refuseBy: "server", onUnstartable: "throw", approvalBy },
    ask: (question, ended) => progress.pause(() => ask(question, ended)),
  });
  const noteSkipped = (line: number) => (call: SkippedCall) => output.note(`${line}: ${printSkippedCall(call)}`);
  // Ctrl-C leaves a durable run as it is: the same batch goes on with it by its key.
  const isDurable = options.has("durable");
  const waiting = withoutUndefined({ waitMs: readWholeNumber(options, "wait", "waitMs") });
  const forget = async (id: string | undefined): Promise<void> => {
    if (!isDurable || id === undefined) return;
    // One that goes on, or waits for a person, stays; one that is gone already is no matter.
    await (await engine.durableRuns()).remove(id).catch(unlessCode("RUN_OPEN", "RUN_UNKNOWN"));
  };
  const approveHere = noteOpenQuestions(approve, context);
  const runOnce: RunInput = async (input, line, key) => {
    const answer = await engine.run(script, {
      ...{ input, key, signal: isDurable ? undefined : signal },
      durable: isDurable && waiting,
      approve: (request) => progress.pause(() => approveHere(request)),
      onLog: (entry) => output.note(`${line}: ${printLog(entry)}`),
      dryRun: isDryRun ? { onSkipped: noteSkipped(line) } : undefined,
    });
    // One that has failed would give the same answer to each further try.
    if (exitCodeOf(answer) !== 0) await forget(answer.runId);
    return answer;
  };
  return {
    run: (input, line, key) =>
      runAgain(() => runOnce(input, line, key), {
        ...{ retries, signal },
        onRetry: (pauseMs, { diagnostics }) => {
          const codes = errorsOf(diagnostics).map(({ code }) => code);
          output.note(`${line}: ${[...new Set(codes)].join(", ")}; again in ${(pauseMs / 1000).toFixed(1)} s`);
        },
      }),
    forget: ({ runId }) => forget(runId),
    async forgetFinished({ batch, finishedOf }) {
      if (!isDurable) return;
      const ended = (await (await engine.durableRuns()).list()).flatMap(({ id, key, state }) => {
        const [of, line] = key.split("/");
        return of === batch && state === "ended" ? [{ id, line: Number(line) }] : [];
      });
      const finished = new Set(await finishedOf(ended.map(({ line }) => line)));
      for (const { id, line } of ended) if (finished.has(line)) await forget(id);
    },
    close: () => engine.close(),
  };
}

/** How often a run is tried again, and until when. */
interface Retrying {
  /** How many further tries there are after the first. */
  retries: number;
  signal: AbortSignal;
  /** Called before each pause. */
  onRetry: (pauseMs: number, answer: RunAnswer) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Runs, and runs again after ever longer pauses while the failure is one that passes and nothing is done twice by it. The last answer counts. */
export async function runAgain(
  run: () => Promise<RunAnswer>,
  { retries, signal, onRetry }: Retrying,
): Promise<RunAnswer> {
  for (let tried = 0; ; tried += 1) {
    const answer = await run();
    if (tried >= retries || signal.aborted || nextStepOf(answer) !== "retry") return answer;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS);
    // Runs that failed together do not come back together.
    const pauseMs = Math.round(longest * (0.5 + Math.random() / 2));
    onRetry(pauseMs, answer);
    await delay(pauseMs, { signal });
    if (signal.aborted) return answer;
  }
}
