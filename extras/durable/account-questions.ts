import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readApprovalKey } from "../../engine/approval-secret.ts";
import { unlessMissing } from "../../engine/files.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { AccountQuestions, DurableExtra, DurableRuns } from "../../engine/run/durable-extra.ts";
import { durableFolder, planSealer, runsFolder } from "../../engine/store-plan.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import type { OpenQuestion } from "../../schemas/run/durable-run.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Answering, answerQuestion, readQuestions } from "./answers.ts";
import { askingFolder, withoutEndedRuns } from "./asking-runs.ts";
import type { DurableStore, KeptRun } from "./kept-runs.ts";
import { openFileStore } from "./stores/file-store.ts";

/** A store with runs that ask. */
type Source = Pick<DurableRuns, "questions" | "answer" | "close">;

/** Opens the runs of the project where the user is, and of each other one with files of this account. */
export async function openAccountQuestions(
  config: Config | undefined,
  openDurableRuns: DurableExtra["openDurableRuns"],
  env: NodeJS.ProcessEnv = process.env,
): Promise<AccountQuestions> {
  let problems: string[] = [];
  const note = (error: unknown): undefined => {
    if (!(error instanceof CodemodeError)) throw error;
    problems.push(`${error.message} ${error.hint}`);
  };
  const own = config && (await openDurableRuns(config, {}, env).catch(note));
  const failures = problems;
  const key = readApprovalKey(env);
  let unread = 0;
  const openSource = (store: DurableStore<KeptRun>): Source => {
    const answering: Answering = { store, here: new Map(), key };
    const onDamaged = (): void => void (unread += 1);
    return {
      questions: async (run) =>
        readQuestions(answering, run === undefined ? await store.list() : [{ id: run }], onDamaged),
      answer: (...asked) => answerQuestion(answering, ...asked),
      close: () => store.close(),
    };
  };
  const opened = new Map<string, Source[]>();
  /** The durable runs of the user's own project are opened by its settings. */
  const openFolder = async (folder: string): Promise<Source[]> => {
    const isOwn = config !== undefined && folder === durableFolder(config, env);
    const sealer = isOwn && own !== undefined ? planSealer(config, env) : undefined;
    const asking = openSource(withoutEndedRuns(await openFileStore(askingFolder(folder), sealer)));
    return isOwn ? [asking] : [asking, openSource(await openFileStore(folder, undefined))];
  };
  const openAll = async (): Promise<Source[]> => {
    for (const folder of await listFolders(env)) if (!opened.has(folder)) opened.set(folder, await openFolder(folder));
    return [own ?? [], ...opened.values()].flat();
  };
  return {
    problems: () => problems,
    async questions(run) {
      problems = [...failures];
      unread = 0;
      const found: OpenQuestion[] = [];
      // One store that is out of reach hides no question of others.
      for (const source of await openAll()) found.push(...((await source.questions(run).catch(note)) ?? []));
      if (unread > 0) problems.push(describeUnread(unread));
      return found.toSorted(inOrder);
    },
    async answer(id, decision, proof) {
      for (const source of await openAll()) {
        const outcome = await source.answer(id, decision, proof).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
        if (outcome !== undefined) return outcome;
      }
      throw durableRunUnknown(id);
    },
    async close() {
      for (const source of [own ?? [], ...opened.values()].flat()) await source.close();
    },
  };
}

/** Questions that close soon come first, and then the ones of durable runs, as they are found. */
function inOrder(left: OpenQuestion, right: OpenQuestion): number {
  return (left.until ?? Number.MAX_VALUE) - (right.until ?? Number.MAX_VALUE);
}

async function listFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = runsFolder(env);
  const found = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return found.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

function describeUnread(count: number): string {
  return `${countOf(count, "run")} of other projects cannot be read here: with \`serve.storeKey\` they are encrypted. Run this command in the folder of its project.`;
}
