import type { DurableRuns, RunOverview } from "../../../../engine/extras.ts";
import { CodemodeError } from "../../../../schemas/codemode-error.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { describeBegin, describeState, describeSteps } from "../../../../schemas/run/describe-durable-run.ts";
import type { DurableList, DurableRow, DurableView } from "../../messages/ui-messages.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

type WithRuns = Pick<UiProject, "config" | "runs">;

/** How many runs, and how many lines of a time line, the page gets. */
const MOST_RUNS = 100;
const MOST_STEPS = 1000;

/** The durable runs of the project, those of all clients: the page is its operator's. */
export async function listRuns({ config, runs }: WithRuns): Promise<DurableList> {
  try {
    const found = (await (await runs.get())?.list()) ?? [];
    return { rows: found.slice(-MOST_RUNS).toReversed().map(toRow), total: found.length };
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    // A project without durable runs may well have a store that is out of reach here.
    const isExpected = config.serve.durable === true || runs.isOpen();
    return {
      rows: [],
      total: 0,
      ...withoutUndefined({ problem: isExpected ? `${error.message} ${error.hint}` : undefined }),
    };
  }
}

/** One of them: its time line, what a person is asked, and its answer. */
export async function showRun(project: WithRuns, id: string): Promise<DurableView> {
  const runs = await needRuns(project);
  const run = await runs.find(id);
  const steps = describeSteps(await runs.steps(id));
  const { state, answer, questions } = run;
  const isDone = state === "ended" && answer?.diagnostics.every(({ severity }) => severity !== "error") === true;
  return {
    ...toRow(run),
    ...withoutUndefined({
      resume: state === "ended" || state === "running" ? undefined : `codemode runs ${id} --resume`,
      result: isDone ? answer.result : undefined,
    }),
    questions: questions.map((lines) => [...lines]),
    // A step is one line, also with line breaks in its message.
    steps: steps.slice(-MOST_STEPS).map((line) => line.replaceAll("\n", " ")),
    before: Math.max(0, steps.length - MOST_STEPS),
  };
}

/** Cancels a run: at once where no process has it, else as soon as its process looks. */
export async function cancelRun(project: WithRuns, id: string): Promise<object> {
  await (await needRuns(project)).cancel(id);
  return {};
}

/** Removes a run that has ended. */
export async function removeRun(project: WithRuns, id: string): Promise<object> {
  await (await needRuns(project)).remove(id);
  return {};
}

async function needRuns({ runs }: WithRuns): Promise<DurableRuns> {
  const opened = await runs.get();
  if (opened === undefined) throw new RouteProblem(404, "This project has no durable runs.");
  return opened;
}

function toRow(run: RunOverview): DurableRow {
  const { id, script, client, state } = run;
  return {
    ...{ id, script, ...withoutUndefined({ client }) },
    ...{ state: describeState(run, Date.now()), begun: describeBegin(run), hasEnded: state === "ended" },
  };
}
