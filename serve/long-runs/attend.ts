import { clock, delay } from "../../engine/clock.ts";
import { whenAborted } from "../../engine/when-aborted.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ElsewhereRun } from "./elsewhere.ts";
import { type LiveRun, showQuestion } from "./live-run.ts";
import type { RunNews, WaitingRequest } from "./runs.ts";

/** A run that a request may ask for. */
export type FoundRun = { kind: "here"; run: LiveRun } | { kind: "elsewhere"; run: ElsewhereRun };

/** What the requests of one client share. */
export interface Attending {
  /** How long a request waits; 0: as long as the run takes. */
  detachAfterMs: number;
  /** Each ends the wait of a request. */
  waits: Set<() => void>;
  /** Keeps a run for later requests, and its answer for a while. */
  keep(run: LiveRun): void;
  /** A request gets the answer of a run. */
  read(run: LiveRun): void;
}

const LOOK_EVERY_MS = 250;

/** Waits for the end of a run, here or elsewhere, until the request has to go on. */
export async function attend(
  runs: Attending,
  found: FoundRun,
  request: WaitingRequest,
  waitMs: number = request.waitsForEnd === true ? 0 : runs.detachAfterMs,
): Promise<RunNews> {
  const wait = startWait(runs, found, request, waitMs);
  const look = found.kind === "here" ? async () => found.run : found.run.follow();
  try {
    for (;;) {
      const state = await look();
      if (state === undefined) return { kind: "lost" };
      const { id, ended, findings } = state;
      if (ended !== undefined) {
        if (ended.result === undefined) throw ended.error;
        if (found.kind === "here" && !request.signal.aborted) runs.read(found.run);
        return { kind: "ended", result: ended.result };
      }
      if (wait.signal.aborted || state.isLeft === true) {
        wait.end();
        return found.kind === "here"
          ? await leave(runs, found.run, request)
          : { kind: "continues", id, logs: [], findings };
      }
      await (found.kind === "here"
        ? Promise.race([found.run.over, whenAborted(wait.signal)])
        : delay(LOOK_EVERY_MS, { signal: wait.signal }));
    }
  } finally {
    wait.end();
    request.signal.removeEventListener("abort", wait.stop);
  }
}

/** Begins the wait of a request: its signal is aborted where the request has to go on without the end of its run. */
function startWait({ waits }: Attending, found: FoundRun, request: WaitingRequest, waitMs: number) {
  const over = new AbortController();
  const run = found.kind === "here" ? found.run : undefined;
  // A run that no other request can ask for ends with its request.
  const own = run?.isDetached === false && run.key === undefined ? run : undefined;
  const stop = (): void => {
    if (own === undefined || !request.signal.aborted) over.abort();
    else own.cancellation.abort(request.signal.reason);
  };
  const waiting = { request, stop };
  const stopTimer = waitMs === 0 ? undefined : clock.after(waitMs, stop);
  // The client of a run that is here, and whose requests wait for its end, does not know its id.
  if (waitMs > 0 || run === undefined) waits.add(stop);
  if (run !== undefined) run.waiting = waiting;
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  if (run !== undefined) showQuestion(run);
  return {
    ...{ signal: over.signal, stop },
    end(): void {
      stopTimer?.();
      waits.delete(stop);
      if (run?.waiting === waiting) run.waiting = undefined;
    },
  };
}

/** Lets a run of this process go on without its request. */
async function leave(runs: Attending, run: LiveRun, request: WaitingRequest): Promise<RunNews> {
  const { question } = run;
  run.isDetached = true;
  runs.keep(run);
  if (request.signal.aborted) return { kind: "continues", id: run.id, logs: [], findings: run.findings };
  const away = await run.enter().then(() => [], describeUnkept);
  if (question?.isShown === false) {
    const digest = request.digest();
    run.asked.set(digest, [...(run.asked.get(digest) ?? []), question.id]);
    return { kind: "asks", id: question.id, question: question.question };
  }
  return { kind: "continues", id: run.id, logs: run.logs.splice(0), findings: [...run.findings, ...away] };
}

/** The run goes on, and only this process knows of it. */
function describeUnkept(error: unknown): Diagnostic[] {
  if (!(error instanceof CodemodeError)) throw error;
  const message = `The run could not be kept: ${error.code}. It is lost if this process ends.`;
  const hint = "Call with the runId. A call of the run that may change something fails, and is not sent.";
  return [{ severity: "warning", code: "RUN_CONTINUES", message, hint }];
}
