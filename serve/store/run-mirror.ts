import type { OpenWork } from "../http/open-work.ts";
import type { LongRuns, SharedRun } from "../long-runs/runs.ts";
import { makeLooking } from "./keep-looking.ts";
import { digestSession, type RunRecord, type RunRecords } from "./run-records.ts";

/** Writes what becomes of the runs of this replica into the store, and takes orders of others from there. */
export interface RunMirror {
  /** Something of a run has changed. */
  changed(run: SharedRun): void;
  /** Resolves when the store has what is known of a run now. */
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

const MOST_TOOLS = 100;

export function makeRunMirror({ records, replica, writes, onFailure }: RunMirrorOptions): RunMirror {
  /** The runs that are not over, by their ids; changed ones since they were written. */
  const open = new Map<string, { writing: Promise<void> | undefined; isChanged: boolean }>();
  let runs: Pick<LongRuns, "end" | "answer"> | undefined;

  const write = async (run: SharedRun): Promise<void> => {
    const state = open.get(run.id);
    while (state?.isChanged === true) {
      state.isChanged = false;
      await records.write(run.id, toRecord(run, replica)).catch(onFailure);
    }
    if (state !== undefined) state.writing = undefined;
    if (run.ended !== undefined) open.delete(run.id);
  };
  const look = async (): Promise<void> => {
    for (const id of open.keys()) {
      const order = await records.takeOrder(id);
      if (order?.kind === "cancel") await runs?.end(id);
      else if (order?.kind === "reply") runs?.answer(id, order.number, order.reply);
    }
  };
  const keepLooking = makeLooking({ look, isOpen: () => open.size > 0, onFailure });
  return {
    changed(run) {
      const state = open.get(run.id) ?? { writing: undefined, isChanged: true };
      state.isChanged = true;
      open.set(run.id, state);
      state.writing ??= writes.track(write(run));
      keepLooking();
    },
    written: async (runId) => open.get(runId)?.writing,
    follow: (followed) => void (runs = followed),
  };
}

function toRecord(run: SharedRun, replica: string): RunRecord {
  const { session, begunAt, ended, isCancelled, isKeyed, tools, callCount, findings, question } = run;
  return {
    ...{ replica, session: digestSession(session), begunAt, isCancelled, isKeyed },
    ...(ended !== undefined && { endedAt: ended.at }),
    details: {
      calls: [...tools].slice(0, MOST_TOOLS),
      callCount,
      findings,
      ...(ended?.result !== undefined && { result: ended.result }),
      ...(question !== undefined && { question: { number: question.number, question: question.question } }),
    },
  };
}
