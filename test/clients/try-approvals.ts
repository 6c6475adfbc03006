import type { Client, Place } from "./client.ts";
import { setServe } from "./make-project.ts";
import { listAnswers } from "./model/decide.ts";
import type { ModelRequest } from "./model/model-api.ts";
import type { ScriptedModel } from "./model/start-model.ts";
import { operate, type OperatorOrder, type OperatorReport } from "./operator.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";
import { runCommand } from "./run-command.ts";
import { GO_ON, REASON, type ScenarioName } from "./scenarios.ts";

/** The scenarios in which a person is asked about single calls. */
const APPROVAL_SCENARIOS = ["own-form", "approve-call", "durable-call"] as const satisfies ScenarioName[];

type ApprovalScenario = (typeof APPROVAL_SCENARIOS)[number];

export const isApproval = (name: ScenarioName): boolean => APPROVAL_SCENARIOS.some((other) => other === name);

/** Those of these scenarios, the one without a passphrase first. */
export const listApprovals = (names: readonly ScenarioName[]): ApprovalScenario[] =>
  APPROVAL_SCENARIOS.filter((name) => names.includes(name));

/** Asks about each call of a tool that no other scenario uses. */
export const APPROVAL_POLICY = { askEach: ["files/create_directory"] };

/** A request waits so long for its run. */
const DETACH_MS = 20_000;

const THREE_ANSWERS: OperatorOrder["answers"] = [
  { holds: '"notes/wrong"', decision: { verdict: "changed", input: { path: "notes/right" } } },
  { holds: '"notes/refused"', decision: { verdict: "refused", reason: REASON } },
  { holds: '"notes/allowed"', decision: { verdict: "granted" } },
];

const ONE_ANSWER: OperatorOrder["answers"] = [{ holds: '"notes/later"', decision: { verdict: "granted" } }];

/** An operator who answers once the model has so many answers, while the model waits for the person before it asks again. */
interface PlannedAnswer {
  afterAnswers: number;
  begin(): Promise<OperatorReport>;
  report?: Promise<OperatorReport>;
}

/** What the model waits for: the first request of the plan starts the operator, and later ones wait for the end. */
export function makeThinking() {
  let plan: PlannedAnswer | undefined;
  return {
    setPlan: (next: PlannedAnswer | undefined): void => void (plan = next),
    async think(request: ModelRequest): Promise<void> {
      const current = plan;
      if (current === undefined || request.tools.length === 0 || request.prompt === "") return;
      const { length } = listAnswers(request);
      if (length >= current.afterAnswers) current.report ??= current.begin();
      if (length > current.afterAnswers) await current.report;
    },
  };
}

interface ApprovalTrial {
  client: Client;
  place: Place & { environment: Record<string, string>; description: string };
  model: ScriptedModel;
  setPlan: (plan: PlannedAnswer | undefined) => void;
}

/** Tries one of the scenarios in which a person is asked about a call. */
export async function tryApproval(name: ApprovalScenario, trial: ApprovalTrial): Promise<Outcome> {
  const { place, setPlan } = trial;
  const answerAfter = (afterAnswers: number, answers: OperatorOrder["answers"]): PlannedAnswer => ({
    afterAnswers,
    begin: () => operate(place, place.environment, { kind: "answer", answers }),
  });
  const isOwn = name === "own-form";
  // A process that serves knows the passphrase that was set before it began; without one only the client is asked.
  if (!isOwn) await operate(place, place.environment, { kind: "set-up" });
  const mayApprove = isOwn || trial.client.declinesForms !== true;
  await setServe(place.project, { detachAfterMs: DETACH_MS, mayApprove, durable: name === "durable-call" });
  const plan = name === "approve-call" ? answerAfter(1, THREE_ANSWERS) : undefined;
  setPlan(plan);
  const first = await start(trial, name);
  setPlan(undefined);
  if (name !== "durable-call") return { ...first, ...(plan && { operator: await plan.report }) };
  const runId = /\\*"runId\\*":\s*\\*"([\w-]+)/.exec(first.answers[0]?.text ?? "")?.[1];
  const { questions } = await operate(place, place.environment, { kind: "await-none" });
  if (runId === undefined || questions.length > 0) return { ...first, isFinished: false };
  const later = answerAfter(0, ONE_ANSWER);
  setPlan(later);
  const second = await start(trial, `${GO_ON}, with "runId": "${runId}"`);
  setPlan(undefined);
  return {
    ...second,
    isFinished: first.isFinished && second.isFinished,
    answers: [...first.answers, ...second.answers],
    seconds: first.seconds + second.seconds,
    operator: await later.report,
  };
}

async function start({ client, place, model }: ApprovalTrial, words: string): Promise<Outcome> {
  model.takeRequests();
  const { seconds, output } = await runCommand(client.command(place, `Follow the script: ${words}`), {
    folder: place.project,
    environment: place.environment,
    seconds: 150,
  });
  const outcome = readOutcome(model.takeRequests(), place.description);
  return { ...outcome, seconds, ...(outcome.isFinished ? {} : { output }) };
}
