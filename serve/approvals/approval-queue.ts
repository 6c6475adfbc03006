import { describeCallToApprove } from "../../schemas/run/describe-call.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { randomBytes } from "node:crypto";
import { clock, delay } from "../../engine/clock.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";
import { describeScriptToApprove, describeToolsToApprove } from "../../schemas/run/describe-script.ts";
import { findInvalidAnswer, printDecision, withInput } from "../../schemas/run/call-question.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import type { AnswerOutcome, InvalidAnswer } from "../../schemas/run/durable-run.ts";
import type { ApprovalKey } from "../../engine/approval-secret.ts";
import {
  openApprovalFolder,
  readApprovalAnswer,
  removeApproval,
  type WaitingApproval,
  writeApproval,
} from "./approval-files.ts";

/** Where runs wait for an approval that a person gives outside of the agent's client, with `codemode approvals`. One for each process. */
export type ApprovalQueue = ReturnType<typeof makeApprovalQueue>;

interface ApprovalQueueOptions {
  /** The folder of the configuration. */
  project: string;
  /** What the person's answers are verified with; without it no question is put, unless it can be answered here. */
  key: Promise<ApprovalKey | undefined>;
  /** Whether the operator answers in this process too, with `list` and `answer`. */
  isAnsweredHere?: boolean | undefined;
  /** See `WaitingApproval`. */
  clientProcesses?: readonly number[] | undefined;
  /** How long a run waits for a person, in milliseconds. */
  waitMs: number;
  /** Receives why questions cannot be written. */
  onFailure(error: unknown): void;
}

/** What became of an answer that was given in this process. */
export type AnswerHere = Exclude<AnswerOutcome, "wrong"> | InvalidAnswer;

const LOOK_EVERY_MS = 250;
const MOST_REMEMBERED = 1000;
/** A question is one file, which is read up to 256 KiB. */
const LONGEST_QUESTION = 100_000;

export function makeApprovalQueue(options: ApprovalQueueOptions) {
  const { project, waitMs, onFailure, clientProcesses, isAnsweredHere = false } = options;
  const takePlace = makePlaces();
  const open = new Map<string, OpenQuestion>();
  /** The answers that were given here, by id: one that comes again has the same outcome. */
  const given = new Map<string, string>();
  let isUnsetSaid = false;
  const answer = (id: string, decision: CallDecision): AnswerHere => {
    const printed = printDecision(decision);
    const before = given.get(id);
    if (before !== undefined) return before === printed ? "given" : "answered";
    const found = open.get(id);
    if (found === undefined) return "gone";
    const problem = findInvalidAnswer(decision, found.request.call ?? "script");
    if (problem !== undefined) return { problem };
    open.delete(id);
    given.set(id, printed);
    forgetOldest(given);
    found.settle(decision);
    return "given";
  };
  /** Shows a question wherever it can be answered, until its time is over or it has an answer. */
  const show = async (approval: WaitingApproval, request: ApprovalRequest, signal: AbortSignal) => {
    const { id } = approval;
    const key = await options.key;
    const fitting = fitToBeRead(approval);
    const written = putInFolder(fitting, key);
    const read = await (key === undefined ? written.catch(onFailure) : written);
    let settle: (answer: CallDecision) => void = () => undefined;
    const answeredHere = new Promise<CallDecision>((resolve) => (settle = resolve));
    if (isAnsweredHere) open.set(id, { approval, request, settle });
    const answered = waitForAnswer({ read: read?.answer, answeredHere, waitMs, signal }).finally(async () => {
      open.delete(id);
      await read?.remove();
    });
    return { answered };
  };
  return {
    /** The approvals that runs of this process wait for, those first that end first. */
    list: (): WaitingApproval[] =>
      [...open.values()].map(({ approval }) => approval).toSorted((left, right) => left.until - right.until),
    /** Answers one, or says why this is no answer to it. What changes a call has only what takes the place of arguments. */
    answer,
    /**
     * Puts a question there. The verdict comes when a person has answered, `closed` when the time is over or the signal aborts.
     * Undefined where no passphrase is set, too many wait already, the tools are too many to be read, or the question cannot be written.
     */
    async ask(
      request: ApprovalRequest,
      client: string,
      signal: AbortSignal,
    ): Promise<{ verdict: Promise<ApprovalVerdict | CallDecision> } | undefined> {
      if (!isAnsweredHere && (await options.key) === undefined) {
        if (!isUnsetSaid) onFailure(approvalsNotSetUp());
        isUnsetSaid = true;
        return undefined;
      }
      const described = describe(request);
      const leave = described && takePlace(client, described.kind);
      if (described === undefined || leave === undefined) return undefined;
      const approval = {
        ...{ id: randomBytes(16).toString("hex"), project, ...described, clientProcesses },
        // For those who read the question; here it waits by a clock that is never set.
        ...{ until: clock.wall() + waitMs, ...withoutUndefined({ client: client === "" ? undefined : client }) },
      };
      try {
        const { answered } = await show(approval, request, signal);
        const decided = answered.then((each) => withInput(each, request));
        return { verdict: decided.catch((): ApprovalVerdict => "closed").finally(leave) };
      } catch (error) {
        leave();
        onFailure(error);
        return undefined;
      }
    },
  };
}

/** How many questions wait at the most, and how many of one client. A run may wait for many of its calls side by side. */
const MOST = { script: { all: 32, ofClient: 8 }, call: { all: 200, ofClient: 100 } };

/** Gives a waiting client a place, and what leaves it; undefined where none is left. */
function makePlaces() {
  const waiting: string[] = [];
  return (client: string, kind: WaitingApproval["kind"]): (() => void) | undefined => {
    const { all, ofClient } = MOST[kind];
    if (waiting.length >= all || waiting.filter((other) => other === client).length >= ofClient) return undefined;
    waiting.push(client);
    return () => void waiting.splice(waiting.indexOf(client), 1);
  };
}

/** What a person is shown; undefined where it is too much to be read. */
function describe(request: ApprovalRequest) {
  const { tools, call, script } = request;
  const lines = call === undefined ? describeToolsToApprove(tools) : describeCallToApprove(request);
  return (
    lines && {
      kind: call === undefined ? ("script" as const) : ("call" as const),
      tools: lines,
      names: tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`),
      whole: call === undefined ? undefined : describeCallToApprove(request, true),
      script: script === undefined ? undefined : describeScriptToApprove(script),
    }
  );
}

interface OpenQuestion {
  approval: WaitingApproval;
  request: ApprovalRequest;
  settle: (answer: CallDecision) => void;
}

/** A `Map` gives its keys in the order in which they came. */
function forgetOldest(given: Map<string, string>): void {
  for (const id of [...given.keys()].slice(0, -MOST_REMEMBERED)) given.delete(id);
}

/** The same for other processes, with the short arguments where the whole ones are too long for a file. */
function fitToBeRead(approval: WaitingApproval): WaitingApproval {
  const { whole, tools } = approval;
  if (whole === undefined || whole.join("").length <= LONGEST_QUESTION) return approval;
  return { ...approval, whole: [...tools, "  too long to be shown whole here"] };
}

/** Where `codemode approvals` finds it. Where no passphrase was set it is listed all the same, and says where it is answered. */
async function putInFolder(approval: WaitingApproval, key: ApprovalKey | undefined) {
  const folder = await openApprovalFolder();
  await writeApproval(folder, { ...approval, verifiesWith: key?.publicKey ?? "" });
  return {
    answer: () => readApprovalAnswer(folder, approval, key),
    remove: () => removeApproval(folder, approval.id),
  };
}

interface Waiting {
  /** Looks for an answer in the folder, where the question is there. */
  read: (() => Promise<CallDecision | undefined>) | undefined;
  answeredHere: Promise<CallDecision>;
  waitMs: number;
  signal: AbortSignal;
}

async function waitForAnswer({ read, answeredHere, waitMs, signal }: Waiting): Promise<CallDecision | "closed"> {
  const until = clock.now() + waitMs;
  while (clock.now() < until && !signal.aborted) {
    const answer = await read?.();
    if (answer !== undefined) return answer;
    const pause = new AbortController();
    // Without a folder there is nothing to look for.
    const pauseMs = read === undefined ? until - clock.now() : LOOK_EVERY_MS;
    const time = delay(pauseMs, { signal: AbortSignal.any([signal, pause.signal]) });
    const here = await Promise.race([answeredHere, time]);
    pause.abort();
    if (here !== undefined) return here;
  }
  return "closed";
}
