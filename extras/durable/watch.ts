import type { DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { DurableWork } from "./attend.ts";
import type { DurableStore } from "./run-store.ts";

/** How often a process looks for runs that are to be cancelled, or that no process has. */
export const LOOK_EVERY_MS = 2000;

/** How many runs of others a process works on at a time: with all of them at once each is too slow, and lost again. */
const MOST_AT_ONCE = 4;

/** Does something now and again, one at a time, until `end`. */
export function repeat(visit: () => Promise<void>): { now(): void; end(): void } {
  let isBusy = false;
  const now = (): void => {
    if (isBusy) return;
    isBusy = true;
    void visit().then(
      () => (isBusy = false),
      () => (isBusy = false),
    );
  };
  now();
  const timer = setInterval(now, LOOK_EVERY_MS).unref();
  return { now, end: () => clearInterval(timer) };
}

/** Goes on with each run that no process has, some at a time. Those that wait without a sandbox do not count. */
export function watchFreeRuns(
  { store, here }: DurableWork,
  resume: (id: string, request: ResumeRequest) => Promise<RunAnswer>,
  [resumeAs, onFailure]: Parameters<DurableRuns["watch"]>,
): () => void {
  /** Those that this process cannot go on with: damaged, or of a client that it does not serve. */
  const left = new Set<string>();
  const taken = new Set<string>();
  const working = new Set<string>();
  const goOn = async (id: string): Promise<void> => {
    const stored = await store.read(id);
    if (stored?.steps.at(-1)?.kind === "ended") return settle(store, id);
    const request = resumeAs(stored?.run.client);
    if (request === undefined) return void left.add(id);
    const onSuspended: ResumeRequest["onSuspended"] = async (isSuspended) => {
      if (!isSuspended) working.add(id);
      else if (working.delete(id)) looking.now();
      await request.onSuspended?.(isSuspended);
    };
    await resume(id, { ...request, onSuspended });
  };
  const take = async (id: string): Promise<void> => {
    taken.add(id);
    working.add(id);
    let hasGoneOn = false;
    try {
      await goOn(id);
      hasGoneOn = true;
    } catch (error) {
      const code = error instanceof CodemodeError ? error.code : undefined;
      if (code === "RUN_DAMAGED") left.add(id);
      // Where another process was faster, nothing is wrong.
      if (code !== "RUN_HELD") onFailure(error);
    }
    taken.delete(id);
    // After a failure it waits for its time: the next look would fail at once.
    if (working.delete(id) && hasGoneOn) looking.now();
  };
  const looking = repeat(async () => {
    if (working.size >= MOST_AT_ONCE) return;
    try {
      const free = (await store.listFree()).filter((id) => !here.has(id) && !taken.has(id) && !left.has(id));
      for (const id of free.slice(0, MOST_AT_ONCE - working.size)) void take(id);
    } catch (error) {
      onFailure(error);
    }
  });
  return looking.end;
}

/** Its process was killed when it had kept the end of the run, and before it could say that to the others. */
async function settle(store: DurableStore, id: string): Promise<void> {
  const owned = await store.claim(id);
  if (owned !== undefined && owned !== "held") await owned.release("over");
}
