import { join } from "node:path";
import type { AskingOptions, AskingRuns, PutAside, Until } from "../../engine/run/durable-extra.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import type { ApprovalRequest, CallDecision } from "../../schemas/run/approval.ts";
import { findInvalidAnswer, printDecision, toServerReply, withInput } from "../../schemas/run/call-question.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { parseQuestionId, printQuestionId } from "../../schemas/run/question-id.ts";
import { makePlaces, type MostWaiting } from "../../schemas/places.ts";
import { clock } from "../../engine/clock.ts";
import {
  type Answering,
  answerQuestion,
  type AskingHere,
  HEAR_EVERY_MS,
  hearAnswers,
  readQuestions,
} from "./answers.ts";
import { askOfCall, askOfScript, askOfServer, toDecided } from "./asked-step.ts";
import { DURABLE_VERSION, type DurableStore, type KeptRun, LEASE_MS, type OwnedRun, RunTaken } from "./kept-runs.ts";
import { makeMemory, openMemoryStore } from "./stores/memory-store.ts";
import { repeat } from "./watch-free-runs.ts";

// A run that is not durable enters the folder of its project when it asks a person, with its questions and nothing else, and leaves it when it ends.

/** In the folder of the durable runs of a project. */
export const askingFolder = (durable: string): string => join(durable, "asking");

const MOST_REMEMBERED = 1000;

interface Place {
  store: DurableStore<KeptRun>;
  /** The folder of the project. */
  project: string;
}

/** The runs of this process that ask. */
export function makeAskingRuns({ store: files, project }: Place, options: AskingOptions): AskingRuns {
  const { isAnsweredHere, onFailure } = options;
  const here = new Map<string, AskingHere>();
  const answering: Answering = { store: files, here, key: options.key };
  const takePlace = makePlaces();
  const ended = makeEndedAnswers();
  let hearing: ReturnType<typeof repeat> | undefined;
  let isUnsetSaid = false;

  /** Where the folder cannot be written, the operator answers in this process still. */
  const create = async (run: KeptRun): Promise<OwnedRun<KeptRun>> => {
    const owned = await answering.store.create(run).catch((error: unknown) => {
      if (!isAnsweredHere || answering.store !== files) throw error;
      onFailure(error);
      answering.store = openMemoryStore(makeMemory<KeptRun>());
      return answering.store.create(run);
    });
    if (owned === "held") throw new RunTaken();
    return owned;
  };
  const mayAsk = async (): Promise<boolean> => {
    if (isAnsweredHere || (await options.key) !== undefined) return true;
    if (!isUnsetSaid) onFailure(approvalsNotSetUp());
    isUnsetSaid = true;
    return false;
  };
  /** Puts a question where there is a place for it. */
  const place = async <Verdict>(
    client: string | undefined,
    kind: keyof typeof MOST,
    put: () => Promise<PutAside<Verdict> | undefined>,
  ): Promise<PutAside<Verdict> | undefined> => {
    const leave = (await mayAsk()) ? takePlace(client, MOST[kind]) : undefined;
    if (leave === undefined) return undefined;
    hearing ??= repeat(() => hearAnswers(answering), HEAR_EVERY_MS);
    try {
      const asked = await put();
      void (asked?.verdict ?? Promise.resolve()).finally(leave);
      return asked;
    } catch (error) {
      leave();
      onFailure(error);
      return undefined;
    }
  };
  return {
    add({ id, client }) {
      const enter = async (script: string): Promise<OwnedRun<KeptRun>> =>
        create({
          ...{ durableVersion: DURABLE_VERSION, id, key: "", client, project, script, begunAt: clock.wall() },
          ...{ clientProcesses: options.clientProcesses, verifiesWith: (await options.key)?.publicKey ?? "" },
        });
      const run = makeAskingRun(id, enter, here, onFailure);
      return {
        ask: (request, asked) =>
          place(client, request.call === undefined ? "script" : "call", () => run.ask(request, asked)),
        askForServer: (question, asked) => place(client, "call", () => run.askForServer(question, asked)),
        async end() {
          ended.remember(here.get(id)?.owned());
          await run.end(answering.store).catch(onFailure);
        },
      };
    },
    async questions(run) {
      const asking = run === undefined ? [...here.keys()] : [run].filter((id) => here.has(id));
      return readQuestions(
        answering,
        asking.map((listed) => ({ id: listed })),
      );
    },
    answer: async (id, ...given) =>
      here.has(parseQuestionId(id)?.run ?? "")
        ? answerQuestion(answering, id, ...given)
        : ended.outcomeOf(id, given[0]),
    async close() {
      hearing?.end();
      await files.close();
    },
  };
}

/** The answers to questions of ended runs, by id: one that comes again has the same outcome. */
function makeEndedAnswers() {
  const given = new Map<string, string>();
  return {
    remember(run: OwnedRun<KeptRun> | undefined): void {
      if (run === undefined) return;
      for (const { number, decision } of foldRun(run.steps).questions)
        if (decision !== undefined) given.set(printQuestionId({ run: run.run.id, number }), printDecision(decision));
      for (const oldest of [...given.keys()].slice(0, -MOST_REMEMBERED)) given.delete(oldest);
    },
    outcomeOf(id: string, decision: CallDecision): "given" | "answered" | "gone" {
      const before = given.get(id);
      if (before === undefined) return "gone";
      return before === printDecision(decision) ? "given" : "answered";
    },
  };
}

interface Asked {
  /** Absent where a server asks. */
  request?: ApprovalRequest | undefined;
  step: StepOf<"asked">;
  settle(decision: CallDecision): void;
}

/** One run, with its open questions by their numbers. */
function makeAskingRun(
  id: string,
  enter: (script: string) => Promise<OwnedRun<KeptRun>>,
  here: Map<string, AskingHere>,
  onFailure: (error: unknown) => void,
) {
  const open = new Map<number, Asked>();
  let entering: Promise<OwnedRun<KeptRun>> | undefined;
  let owned: OwnedRun<KeptRun> | undefined;
  const asking: AskingHere = {
    owned: () => owned,
    questions: {
      async decide({ number = 0 }, decision) {
        const asked = open.get(number);
        if (asked === undefined) return false;
        open.delete(number);
        // The run has the answer, also where it cannot be written down.
        await owned?.append([toDecided(number, asked.step.digest, decision)]).catch(onFailure);
        asked.settle(decision);
        return true;
      },
      open: () => [...open.values()],
    },
    findProblem({ number }, decision) {
      const request = open.get(number)?.request;
      return request && findInvalidAnswer(decision, request.call ?? "script");
    },
  };
  /** Keeps a question, and waits for its decision until the signal aborts. */
  const put = async (script: string, step: StepOf<"asked">, { until, signal }: Until, request?: ApprovalRequest) => {
    entering ??= enter(script).catch((error: unknown) => {
      entering = undefined;
      throw error;
    });
    owned = await entering;
    here.set(id, asking);
    await owned.append([{ ...step, until }]);
    const { number = 0 } = foldRun(owned.steps).questions.find(({ nonce }) => nonce === step.nonce) ?? {};
    const decided = new Promise<CallDecision | "closed">((resolve) => {
      const close = (): void => {
        if (!open.delete(number)) return;
        resolve("closed");
        void owned?.append([{ kind: "closed", number, digest: step.digest }]).catch(onFailure);
      };
      const settle = (decision: CallDecision): void => {
        signal.removeEventListener("abort", close);
        resolve(decision);
      };
      open.set(number, { request, step, settle });
      signal.addEventListener("abort", close, { once: true });
      if (signal.aborted) close();
    });
    return { id: printQuestionId({ run: id, number }), decided };
  };
  return {
    async ask(request: ApprovalRequest, asked: Until): Promise<PutAside | undefined> {
      const step = request.call === undefined ? askOfScript(request) : askOfCall(request, request.call.number);
      const kept = step && (await put(scriptOf(request), step, asked, request));
      return kept && { id: kept.id, verdict: kept.decided.then((decision) => withInput(decision, request)) };
    },
    async askForServer(question: ServerQuestion, asked: Until): Promise<PutAside<PersonsReply>> {
      const { id: known, decided } = await put(SCRIPT, askOfServer(question), asked);
      const toReply = (decision: CallDecision | "closed"): PersonsReply =>
        (decision === "closed" ? undefined : toServerReply(decision, question)) ?? { action: "cancel" };
      return { id: known, verdict: decided.then(toReply) };
    },
    async end(store: DurableStore<KeptRun>): Promise<void> {
      here.delete(id);
      if (owned === undefined) return;
      await owned.release("over");
      await store.removeOver(id);
    },
  };
}

const SCRIPT = "script.ts";

/** By the name of its main file; of a call, by where the script makes it. */
function scriptOf({ script, call }: ApprovalRequest): string {
  return script?.files[0]?.name ?? call?.place?.split(":")[0] ?? SCRIPT;
}

/** How many questions wait at the most, and how many of one client. A run may wait for many of its calls side by side. */
const MOST = { script: { all: 32, ofClient: 8 }, call: { all: 200, ofClient: 100 } } satisfies Record<
  string,
  MostWaiting
>;

/** A folder of runs that ask as other processes read it: a run whose process has ended is gone, with its questions, and is removed. */
export function withoutEndedRuns(store: DurableStore<KeptRun>): DurableStore<KeptRun> {
  return {
    ...store,
    async read(id) {
      const stored = await store.read(id);
      if (stored?.isOwned === true) return stored;
      // One that is being begun has no process for a moment.
      if (stored !== undefined && clock.wall() - stored.run.begunAt > LEASE_MS) await store.remove(id);
      return undefined;
    },
  };
}
