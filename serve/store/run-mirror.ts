import type { OpenWork } from "../http/open-work.ts";
import type { LongRuns, SharedRun } from "../long-runs/runs.ts";
import { digestSession, type RunRecord, type RunRecords } from "./run-records.ts";

/** Writes what becomes of the runs of this replica into the store, and takes orders of others from there. */
export interface RunMirror {
  /** Something of a run has changed. */
  changed(run: SharedRun): void;
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

const LOOK_EVERY_MS = 400;
const MOST_CALLS = 100;

export function makeRunMirror({ records, replica, writes, onFailure }: RunMirrorOptions): RunMirror {
  /** The runs that are not over; true where they have changed since they were written. */
  const open = new Map<SharedRun, { isWriting: boolean; isChanged: boolean }>();
  let runs: Pick<LongRuns, "end" | "answer"> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const write = async (run: SharedRun): Promise<void> => {
    const state = open.get(run);
    if (state === undefined || state.isWriting) return;
    state.isWriting = true;
    while (state.isChanged) {
      state.isChanged = false;
      await records.write(run.id, toRecord(run, replica)).catch(onFailure);
    }
    state.isWriting = false;
    if (run.ended !== undefined) open.delete(run);
  };
  const look = async (): Promise<void> => {
    for (const { id } of open.keys()) {
      const order = await records.takeOrder(id);
      if (order?.kind === "cancel") await runs?.end(id);
      else if (order?.kind === "reply") runs?.answer(id, order.number, order.reply);
    }
  };
  /** Looks only while there is a run that an order may be for. */
  const keepLooking = (): void => {
    timer ??= setTimeout(() => {
      void look()
        .catch(onFailure)
        .finally(() => {
          timer = undefined;
          if (open.size > 0) keepLooking();
        });
    }, LOOK_EVERY_MS).unref();
  };
  return {
    changed(run) {
      const state = open.get(run) ?? { isWriting: false, isChanged: true };
      state.isChanged = true;
      open.set(run, state);
      void writes.track(write(run));
      keepLooking();
    },
    follow: (followed) => void (runs = followed),
  };
}

function toRecord(run: SharedRun, replica: string): RunRecord {
  const { session, begunAt, ended, isCancelled, isKeyed, calls, findings, question } = run;
  return {
    ...{ replica, session: digestSession(session), begunAt, isCancelled, isKeyed },
    ...(ended !== undefined && { endedAt: ended.at }),
    details: {
      calls: calls.slice(0, MOST_CALLS),
      callCount: calls.length,
      findings,
      ...(ended?.result !== undefined && { result: ended.result }),
      ...(question !== undefined && { question: { number: question.number, question: question.question } }),
    },
  };
}
