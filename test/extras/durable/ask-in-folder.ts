import type { CallDecision } from "../../../schemas/run/approval.ts";
import type { StepOf } from "../../../schemas/run/durable-run.ts";
import { makeRunId } from "../../../engine/run-id.ts";
import { runsFolder } from "../../../engine/store-plan.ts";
import { readApprovalKey } from "../../../engine/approval-secret.ts";
import { stateName } from "@codemode/runtime/state-folder";
import { join } from "node:path";
import { type Answering, hearAnswers, listQuestions } from "../../../extras/durable/answers.ts";
import { askingFolder } from "../../../extras/durable/asking-runs.ts";
import { DURABLE_VERSION, type KeptRun } from "../../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";

/** Where runs of a project ask that are not durable. */
export function askingFolderOf(project: string): string {
  return askingFolder(join(runsFolder(), stateName(project)));
}

/** A run of this process in the folder of a project, with one question as the test wants it: its log may say anything. */
export async function askInFolder(
  asked: Partial<StepOf<"asked">> & { lines: readonly string[] },
  { project, ...run }: { project: string } & Partial<KeptRun>,
) {
  const store = await openFileStore<KeptRun>(askingFolderOf(project), undefined);
  const id = makeRunId();
  const about = {
    ...{ durableVersion: DURABLE_VERSION, id, key: "", script: "script.ts", begunAt: Date.now() },
    ...run,
  };
  const owned = await store.create({ ...about, project } as KeptRun);
  if (owned === "held") throw new Error("held");
  const decisions: CallDecision[] = [];
  let isOver = false;
  const answering: Answering = {
    store,
    key: readApprovalKey(),
    here: new Map([
      [
        id,
        {
          owned: () => owned,
          questions: {
            open: () => (decisions.length === 0 ? [{ tools: [], digest: "d" }] : []),
            decide: async ({ number = 0, digest }, decision) => {
              await owned.append([{ kind: "decided", number, digest, decision }]);
              decisions.push(decision);
              return true;
            },
          },
        },
      ],
    ]),
  };
  const put = async (more: typeof asked): Promise<string> => {
    await owned.append([
      {
        ...{ kind: "asked", about: "script", tools: [], at: 0 },
        digest: "sha256-d",
        nonce: "n",
        until: Date.now() + 60_000,
        ...more,
      } as StepOf<"asked">,
    ]);
    return `${id}.${owned.steps.filter(({ kind }) => kind === "asked").length}`;
  };
  return {
    id: await put(asked),
    run: id,
    put,
    digest: async (): Promise<string> =>
      (await listQuestions(answering, { run: owned.run, steps: owned.steps, isOwned: true }))[0]?.digest ?? "",
    /** What a person has answered by now, as the run gets it. */
    async answer(): Promise<CallDecision | undefined> {
      await hearAnswers(answering);
      return decisions.at(-1);
    },
    async end(): Promise<void> {
      if (isOver) return;
      isOver = true;
      // A test may have removed it.
      await owned.release("over").catch(() => undefined);
      await store.removeOver(id);
      await store.close();
    },
  };
}
