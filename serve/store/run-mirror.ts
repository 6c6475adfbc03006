import type { OpenWork } from "../http/open-work.ts";
import type { LongRuns, SharedRun } from "../long-runs/runs.ts";
import { makeLooking } from "./keep-looking.ts";
import { digestSession, type RunRecord, type RunRecords } from "./run-records.ts";

/** Writes what becomes of the runs of this replica into the store, and takes orders of others from there. */
export interface RunMirror {
  /** Something of a run has changed. */
  changed(run: SharedRun): void;
  /** Resolves when the store has what is known of a run now, or has failed. */
  written(runId: string): Promise<void>;
  /** The local runs that orders are for. */
  follow(runs: Pick<LongRuns, "end" | "answer">): void;
}

export interface RunMirrorOptions {
  records: RunRecords;
  replica: string;
  /** Counts what is being written. */
  writes: OpenWork;
  onFailure(error: unknown): void;
}

interface OpenRun {
  run: SharedRun;
  /** Since it was written. */
  isChanged: boolean;
  writing: Promise<void> | undefined;
  /** The write that begins when this one is through. */
  next: Promise<void> | undefined;
}

const MOST_TOOLS = 100;
/** How long after its end a run is still written, where the store did not answer. */
const LAST_TRIES_MS = 60_000;

export function makeRunMirror({ records, replica, writes, onFailure }: RunMirrorOptions): RunMirror {
  /** The runs that are not over, or whose end the store does not have. */
  const open = new Map<string, OpenRun>();
  let runs: Pick<LongRuns, "end" | "answer"> | undefined;

  const write = async (state: OpenRun): Promise<void> => {
    const { run } = state;
    state.isChanged = false;
    try {
      await records.write(run.id, toRecord(run, replica));
    } catch (error) {
      state.isChanged = true;
      onFailure(error);
    }
    const isDue = state.isChanged && (run.ended === undefined || Date.now() - run.ended.at < LAST_TRIES_MS);
    if (run.ended !== undefined && !isDue) open.delete(run.id);
  };
  /** Resolves when a write that began after this call is through: changes that come while one is under way share the next. */
  const save = (state: OpenRun): Promise<void> => {
    if (state.writing === undefined) {
      state.writing = writes.track(write(state)).finally(() => (state.writing = undefined));
      return state.writing;
    }
    state.next ??= state.writing.then(() => {
      state.next = undefined;
      return save(state);
    });
    return state.next;
  };
  const look = async (): Promise<void> => {
    for (const [id, state] of open) {
      if (state.isChanged && state.writing === undefined) await save(state);
      const order = await records.takeOrder(id);
      if (order?.kind === "cancel") await runs?.end(id);
      else if (order?.kind === "reply") runs?.answer(id, order.number, order.reply);
    }
  };
  const keepLooking = makeLooking({ look, isOpen: () => open.size > 0, onFailure });
  return {
    changed(run) {
      const state = open.get(run.id) ?? { run, isChanged: true, writing: undefined, next: undefined };
      state.isChanged = true;
      open.set(run.id, state);
      void save(state);
      keepLooking();
    },
    async written(runId) {
      const state = open.get(runId);
      await (state?.next ?? state?.writing);
    },
    follow: (followed) => void (runs = followed),
  };
}

function toRecord(run: SharedRun, replica: string): RunRecord {
  const { session, begunAt, ended, isCancelled, isKeyed, tools, callCount, findings, question } = run;
  return {
    ...{ replica, session: digestSession(session), begunAt, isCancelled, isKeyed },
    endedAt: ended?.at,
    details: {
      calls: [...tools].slice(0, MOST_TOOLS),
      callCount,
      findings,
      result: ended?.result,
      question: question && { number: question.number, question: question.question },
    },
  };
}
