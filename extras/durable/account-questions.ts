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
import { askingFolder, readAskingRuns } from "./asking-runs.ts";
import { makeDurableRuns } from "./durable-runs.ts";
import type { KeptRun } from "./kept-runs.ts";
import { openFileStore } from "./stores/file-store.ts";

/** What is open of the folder of a project. The durable runs of the user's own project are opened by its settings. */
interface ProjectQuestions {
  asking: ReturnType<typeof readAskingRuns>;
  durable: DurableRuns | undefined;
}

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
  const opened = new Map<string, ProjectQuestions>();
  const openFolder = async (folder: string): Promise<ProjectQuestions> => {
    const isOwn = config !== undefined && folder === durableFolder(config, env);
    const sealer = isOwn && own !== undefined ? planSealer(config, env) : undefined;
    const asking = await openFileStore<KeptRun>(askingFolder(folder), sealer);
    const durable = isOwn ? undefined : makeDurableRuns({ store: await openFileStore(folder, undefined), key });
    return { asking: readAskingRuns(asking, key), durable };
  };
  const openAll = async () => {
    for (const folder of await listFolders(env)) if (!opened.has(folder)) opened.set(folder, await openFolder(folder));
    const found = [...opened.values()];
    const others = found.flatMap(({ durable }) => durable ?? []);
    return { asking: found.map(({ asking }) => asking), durable: own === undefined ? others : [own, ...others] };
  };
  return {
    problems: () => problems,
    async list() {
      problems = [...failures];
      const found: OpenQuestion[] = [];
      let unread = 0;
      const { asking, durable } = await openAll();
      for (const runs of durable) {
        if (runs !== own) unread += (await runs.list()).filter(({ state }) => state === "damaged").length;
        // One store that is out of reach hides no question of others.
        found.push(...((await runs.questions().catch(note)) ?? []));
      }
      for (const runs of asking) {
        found.push(...(await runs.questions()));
        unread += runs.unread();
      }
      if (unread > 0) problems.push(describeUnread(unread));
      return found.toSorted(inOrder);
    },
    async answer(id, decision, proof) {
      const { asking, durable } = await openAll();
      for (const runs of asking) {
        const outcome = await runs.answer(id, decision, proof);
        if (outcome !== undefined) return outcome;
      }
      for (const runs of durable) {
        const outcome = await runs.answer(id, decision, proof).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
        if (outcome !== undefined) return outcome;
      }
      throw durableRunUnknown(id);
    },
    async close() {
      await own?.close();
      for (const { asking, durable } of opened.values()) {
        await asking.close();
        await durable?.close();
      }
    },
  };
}

/** Questions that close soon come first, and then the ones of durable runs, as they are found. */
function inOrder(left: OpenQuestion, right: OpenQuestion): number {
  return (left.until ?? Infinity) === (right.until ?? Infinity)
    ? 0
    : (left.until ?? Infinity) - (right.until ?? Infinity);
}

async function listFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = runsFolder(env);
  const found = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return found.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));
}

function describeUnread(count: number): string {
  return `${countOf(count, "run")} of other projects cannot be read here: with \`serve.storeKey\` they are encrypted. Run this command in the folder of its project.`;
}
