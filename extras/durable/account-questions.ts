import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readApprovalKey } from "../../engine/approval-secret.ts";
import { unlessMissing } from "../../engine/files.ts";
import type { DurableExtra, DurableRuns } from "../../engine/run/durable-extra.ts";
import { durableFolder, runsFolder } from "../../engine/store-plan.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import type { OpenQuestion } from "../../schemas/run/durable-run.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { makeDurableRuns } from "./durable-runs.ts";
import { openDurableRuns, refuseToRun } from "./open-durable-runs.ts";
import { openFileStore } from "./stores/file-store.ts";

/** Opens the runs of the project where the user is, and of each other one with files of this account. */
export const openAccountQuestions: DurableExtra["openAccountQuestions"] = async (config, env = process.env) => {
  const failures: string[] = [];
  let problems: string[] = [];
  const note = (error: unknown): void => {
    if (!(error instanceof CodemodeError)) throw error;
    failures.push(`${error.message} ${error.hint}`);
  };
  const own = config && (await openDurableRuns(config, {}, env).catch(note));
  const key = readApprovalKey(env);
  const others = new Map<string, DurableRuns>();
  const openAll = async (): Promise<DurableRuns[]> => {
    for (const folder of await listFolders(env)) {
      if (others.has(folder) || (config !== undefined && folder === durableFolder(config, env))) continue;
      const store = await openFileStore(folder, undefined);
      others.set(folder, makeDurableRuns({ store, run: refuseToRun, key }));
    }
    return [...(own === undefined ? [] : [own]), ...others.values()];
  };
  return {
    problems: () => problems,
    async list() {
      problems = [...failures];
      const found: OpenQuestion[] = [];
      for (const runs of await openAll()) {
        const unread = (await runs.list()).filter(({ state }) => state === "damaged").length;
        if (unread > 0 && runs !== own) problems.push(describeUnread(unread));
        found.push(...(await runs.questions()));
      }
      return found;
    },
    async answer(id, decision, proof) {
      for (const runs of await openAll()) {
        const outcome = await runs.answer(id, decision, proof).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
        if (outcome !== undefined) return outcome;
      }
      throw durableRunUnknown(id);
    },
    async close() {
      await own?.close();
      for (const runs of others.values()) await runs.close();
    },
  };
};

async function listFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = runsFolder(env);
  const found = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return found.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

function describeUnread(count: number): string {
  return `${countOf(count, "run")} of another project cannot be read here: with \`serve.storeKey\` they are encrypted. Run this command in the folder of that project.`;
}
