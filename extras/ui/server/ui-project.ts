import type { Config } from "../../../schemas/config/config.ts";
import { type Checker, type Host, openHost } from "../../../engine/open-host.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";
import { randomBytes } from "node:crypto";
import type { Log } from "../../../engine/load-log.ts";
import { existsSync } from "node:fs";
import { type AccountQuestions, type DurableExtra, type DurableRuns, findExtra } from "../../../engine/extras.ts";
import { durableFolder, planStore } from "../../../engine/store-plan.ts";

/** What the page is about: each route takes it, and knows nothing of HTTP. */
export interface UiProject {
  config: Config;
  host: Host;
  checker: Checker;
  /** What the person at the page is asked before a run. */
  approvals: ReturnType<typeof makePageQuestions<boolean>>;
  /** What servers ask the person in the middle of a run. */
  questions: ReturnType<typeof makePageQuestions<PersonsReply>>;
  /** The durable runs of the project. */
  runs: RunsOpener;
  /** The questions of the runs of this account. */
  account: Opener<AccountQuestions>;
}

/**
 * Questions that wait for the person at the page, with answers of one kind.
 * @param refusal the answer of a person who has gone
 */
export function makePageQuestions<Answer>(refusal: Answer) {
  const waiting = new Map<string, (given: Answer) => void>();
  const answer = (id: string, given: Answer): boolean => {
    const settle = waiting.get(id);
    waiting.delete(id);
    settle?.(given);
    return settle !== undefined;
  };
  return {
    /** A question with an unguessable id. It is answered once; a disconnect refuses. */
    ask(signal: AbortSignal): { id: string; answer: Promise<Answer> } {
      const id = randomBytes(16).toString("base64url");
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      if (signal.aborted) answer(id, refusal);
      else signal.addEventListener("abort", () => answer(id, refusal), { once: true });
      return { id, answer: answered };
    },
    /** False where no such question waits. */
    answer,
    refuseAll(): void {
      for (const id of [...waiting.keys()]) answer(id, refusal);
    },
  };
}

/** A project whose host is being prepared. */
export interface PreparedProject {
  /** Rejects with a `CodemodeError` where the project cannot be prepared. */
  ready: Promise<UiProject>;
  close(): Promise<void>;
}

/** Opens the host as `serve` does. One checker serves runs and the editor; drift is reported, and the lockfile stays as it is. */
export async function openUiProject(config: Config, log: Log): Promise<PreparedProject> {
  const opened = await openHost({
    ...{ config, log, note: log.info, origin: "ui", purpose: { kind: "session" } },
    ...{ onUnstartable: "ask", hasEditor: true },
  });
  const approvals = makePageQuestions(false);
  const questions = makePageQuestions<PersonsReply>({ action: "cancel" });
  const runs = makeRunsOpener(config);
  const account = makeOpener(async () => (await findDurable())?.openAccountQuestions(config));
  const ready = opened.ready.then(({ host, checker }): UiProject => {
    if (checker === undefined) throw new TypeError("A host with an editor has a checker.");
    return { config, host, checker, approvals, questions, runs, account };
  });
  ready.catch(() => undefined); // thrown to the request that needs it
  return {
    ready,
    async close() {
      approvals.refuseAll();
      questions.refuseAll();
      await runs.close();
      await account.close();
      await opened.close();
    },
  };
}

/** What is opened when the page asks for it, and stays open. */
export interface Opener<Opened> {
  /**
   * Undefined where this build cannot open it, or where there can be none.
   * @throws CodemodeError where it cannot be read
   */
  get(): Promise<Opened | undefined>;
  close(): Promise<void>;
}

function makeOpener<Opened extends { close(): Promise<void> }>(
  open: () => Promise<Opened | undefined>,
): Opener<Opened> & { isOpening(): boolean } {
  let opening: Promise<Opened | undefined> | undefined;
  return {
    get: async () =>
      (opening ??= open().catch((error: unknown) => {
        // The store may be there later.
        opening = undefined;
        throw error;
      })),
    isOpening: () => opening !== undefined,
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

const findDurable = (): Promise<DurableExtra | undefined> => findExtra<DurableExtra>("durable");

/** The durable runs of a project, opened where there can be any. */
interface RunsOpener extends Opener<DurableRuns> {
  isOpen(): boolean;
}

/** @param find gives what keeps durable runs, where this build has it */
export function makeRunsOpener(config: Config, find: typeof findDurable = findDurable): RunsOpener {
  let isOpen = false;
  const opener = makeOpener(async () => {
    const opened = await (await find())?.openDurableRuns(config, {});
    isOpen = opened !== undefined;
    return opened;
  });
  return {
    get: async () => (opener.isOpening() || canHaveRuns(config) ? opener.get() : undefined),
    isOpen: () => isOpen,
    close: opener.close,
  };
}

/** Whether the project has a place where durable runs can be: files that some run has made, or a store that keeps them. */
function canHaveRuns(config: Config): boolean {
  return planStore(config) !== undefined || existsSync(durableFolder(config));
}
