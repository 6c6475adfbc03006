import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import type { Host } from "../../engine/run/host.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { ApprovalKey, ApprovalRequest } from "../../schemas/run/approval.ts";
import type { DurableStore, OwnedRun, ServerTargets } from "./kept-runs.ts";
import type { RunQuestions } from "./questions.ts";

/** What a process runs durably with, and the runs that it is at work on. */
export interface DurableWork {
  store: DurableStore;
  run: Host["run"];
  /** Absent where nothing is begun. */
  bundle?: Host["bundle"] | undefined;
  targets: ServerTargets;
  /** The folder of the project. */
  project?: string | undefined;
  /** What verifies the answers of the person at this account. */
  key?: Promise<ApprovalKey | undefined> | undefined;
  here: Map<string, RunHere>;
}

/** A run that this process is at work on. */
export interface RunHere {
  client: string | undefined;
  questions: RunQuestions;
  cancellation: AbortController;
  outcome: Promise<RunAnswer>;
  owned(): OwnedRun | undefined;
}

/** So many runs wait at a time for a person to allow their script, and of one client. */
const MOST_WAITING = 200;
const MOST_OF_CLIENT = 100;

/** Whether another run may wait: what a client begins is kept until a person answers, also when its process is gone. */
export async function mayWait({ store, here }: DurableWork, { access: { client } }: DurableRequest): Promise<boolean> {
  const isOfScript = ({ call }: ApprovalRequest): boolean => call === undefined;
  const waitingHere = [...here.values()].filter(({ questions }) => questions.open().some(isOfScript));
  const heads = (await store.list()).flatMap(({ head }) => head ?? []);
  const left = heads.filter(
    ({ state, questions, calls }) => state === "waiting" && questions.length > 0 && calls === 0,
  );
  const waiting = [...waitingHere, ...left];
  return waiting.length < MOST_WAITING && waiting.filter((each) => each.client === client).length < MOST_OF_CLIENT;
}
