import { clock, delay } from "../../engine/clock.ts";
import { type AccountQuestions, type DurableExtra, findExtra } from "../../engine/extras.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { listSome } from "../../schemas/list-some.ts";
import { ANSWERED_ELSEWHERE, isOfOtherKey, linesOf, makeQuestions } from "../../serve/approvals/questions.ts";
import { readApprovalKey, setPassphrase, SHORTEST_PASSPHRASE } from "../../engine/approval-secret.ts";
import { isBelow } from "../../serve/approvals/client-processes.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import {
  approvalAnswered,
  approvalNotPersonal,
  approvalStale,
  approvalUnknown,
  passphraseNotSet,
} from "../../schemas/command-line-errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { isJsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { OpenQuestion } from "../../schemas/run/durable-run.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
import { readHidden, terminalOf } from "../print/ask-on-terminal.ts";

/** `codemode approvals`: lists the questions of runs that only a person may answer, on this account, and answers one. */
export const approvals: Command = async ({ args: [id], options, context }) => {
  const [asked = "", ...others] = ["approve", "refuse", "change", "answer", "setup", "watch"].filter(options.has);
  if (others[0] !== undefined) throw optionInvalid(`--${asked}`, `it cannot be combined with --${others[0]}`);
  if (options.has("forRun") && asked !== "approve") throw optionInvalid("--for-run", "it goes with --approve");
  if (options.has("reason") && asked !== "refuse") throw optionInvalid("--reason", "it goes with --refuse");
  if (asked === "setup") return setUp(context);
  const account = await openAccount(context);
  const questions = makeQuestions(account);
  try {
    if (asked === "watch") return await watch(questions, options.has("json"), context);
    if (asked === "") {
      await show(questions, { id, asJson: options.has("json") }, context);
      account?.problems().forEach((line) => context.output.note(oneLine(line)));
      return 0;
    }
    if (id === undefined) throw optionInvalid(`--${asked}`, "name the approval by its id");
    return await answer(questions, id, { asked, options }, context);
  } finally {
    await account?.close();
  }
};

/** The questions of the runs of this account; undefined where this build keeps none. What is wrong with the project here hides no question of others. */
async function openAccount({
  cwd,
  configFile,
  isTrusted,
  output,
}: CommandContext): Promise<AccountQuestions | undefined> {
  const extra = await findExtra<DurableExtra>("durable");
  const config = await loadConfig({ cwd, isTrusted, configFile }).catch((error: unknown) => {
    if (!(error instanceof CodemodeError)) throw error;
    if (error.code !== "CONFIG_MISSING") output.note(oneLine(`${error.message} ${error.hint}`));
    return undefined;
  });
  return extra?.openAccountQuestions(config);
}

type Account = ReturnType<typeof makeQuestions>;

async function show(
  questions: Account,
  { id, asJson }: { id: string | undefined; asJson: boolean },
  { output: { result, note } }: CommandContext,
): Promise<void> {
  const shown = id === undefined ? await questions.list() : await questions.find(id);
  const key = await readApprovalKey();
  if (id !== undefined && shown.length === 0) throw approvalUnknown(id);
  if (asJson) result(JSON.stringify(shown.map(toJson), null, 2));
  else if (shown.length === 0) note("No run waits for an approval.");
  else for (const line of shown.flatMap((each) => describe(each, id !== undefined))) result(line);
  const others = shown.filter((each) => isOfOtherKey(each, key));
  if (others.length > 0) note(`${listSome(others.map((each) => each.id))}: ${ANSWERED_ELSEWHERE}.`);
}

/** The passphrase is what an agent with a shell does not have; the rest tells it so before it tries. */
async function answer(
  questions: Account,
  id: string,
  { asked, options }: { asked: string; options: OptionValues },
  context: CommandContext,
): Promise<number> {
  const question = (await questions.find(id)).find((each) => each.id === id);
  const decision = toDecision(asked, options);
  const passphrase = async (): Promise<string> => {
    if (isBelow(question?.clientProcesses ?? []))
      throw approvalNotPersonal("this process was started by the client that asks", OWN_TERMINAL);
    for (const line of question === undefined ? [] : describe(question, true)) context.output.note(line);
    return readPassphrase("Passphrase: ", context);
  };
  const proof = { digest: question?.digest, passphrase, way: "terminal" as const };
  const outcome = await questions.answer(id, decision, proof);
  if (typeof outcome === "object")
    throw optionInvalid(`--${options.has("forRun") ? "for-run" : asked}`, outcome.problem);
  if (outcome === "wrong")
    throw approvalNotPersonal("the passphrase is wrong", "Try again, or set another one with `--setup`.");
  if (outcome === "gone") throw approvalUnknown(id);
  if (outcome === "stale") throw approvalStale(id);
  if (outcome === "answered") throw approvalAnswered(id);
  context.output.note(DONE[question?.kind ?? "script"][asked] ?? "");
  return 0;
}

const DONE: Record<OpenQuestion["kind"], { [asked: string]: string }> = {
  script: { approve: "Approved, for this run.", refuse: "Refused: the script does not run." },
  call: {
    approve: "Approved.",
    refuse: "Refused: the call is not made, and the script gets an error.",
    change: "Approved with these arguments, if they fit the tool; otherwise the call is asked about again.",
    answer: "Answered: the call is not made. A result that does not fit the tool is asked about again.",
  },
  server: { approve: "Answered.", refuse: "Declined.", answer: "Answered." },
};

/** What the options decide. */
function toDecision(asked: string, options: OptionValues): CallDecision {
  if (asked === "refuse") return { verdict: "refused", ...withoutUndefined({ reason: options.text("reason") }) };
  if (asked === "approve") return { verdict: "granted", ...(options.has("forRun") ? { forRun: true } : {}) };
  const given = parseJson(`--${asked}`, options.text(asked) ?? "");
  if (asked === "answer") return { verdict: "answered", result: given };
  if (!isJsonObject(given)) throw optionInvalid("--change", 'give a JSON object, such as {"path":"notes.txt"}');
  return { verdict: "changed", input: given };
}

function parseJson(option: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw optionInvalid(option, "it is no JSON");
  }
}

const LOOK_EVERY_MS = 500;

/** Prints each approval when it comes. */
async function watch(questions: Account, asJson: boolean, { output, signal }: CommandContext): Promise<number> {
  output.note("Waiting for approvals. Answer them in another terminal; Ctrl+C ends this.");
  const known = new Set<string>();
  while (!signal.aborted) {
    for (const approval of await questions.list()) {
      if (known.has(approval.id)) continue;
      known.add(approval.id);
      if (asJson) output.result(JSON.stringify(toJson(approval)));
      else for (const line of describe(approval)) output.result(line);
    }
    await delay(LOOK_EVERY_MS, { signal });
  }
  return 0;
}

const OWN_TERMINAL = "Use a terminal of your own, or the page of `codemode ui`.";

async function setUp(context: CommandContext): Promise<number> {
  const passphrase = await readPassphrase("A new passphrase for approvals: ", context);
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw passphraseNotSet(`it has fewer than ${SHORTEST_PASSPHRASE} characters`, "Choose a longer one.");
  }
  if ((await readPassphrase("Once more: ", context)) !== passphrase) {
    throw passphraseNotSet("the two that were typed differ", "Run the command again.");
  }
  await setPassphrase(passphrase);
  context.output.note(
    "The passphrase is set. Restart every `codemode serve`, and the clients that started one: until then each takes only the old passphrase.",
  );
  return 0;
}

async function readPassphrase(prompt: string, { signal }: CommandContext): Promise<string> {
  const terminal = terminalOf(signal);
  if (terminal === undefined) throw approvalNotPersonal("this is no terminal", OWN_TERMINAL);
  return (await readHidden(prompt, terminal)) ?? "";
}

/** For programs of the person: names and a time, with the question as it is shown beside them. */
function toJson(question: OpenQuestion): object {
  const { id, kind, project, client, tools, until } = question;
  const time = until === undefined ? undefined : new Date(until).toISOString();
  return { id, kind, project, client, tools, question: linesOf(question), until: time };
}

const WHAT: Record<OpenQuestion["kind"], string> = {
  script: "asks to call these tools, any number of times in this run",
  call: "asks to make this call",
  server: "waits for what a server asks you; answer with --answer JSON, --approve or --refuse",
};

/** `isWhole` shows the arguments of a call to their ends, and the code of a script. */
function describe(question: OpenQuestion, isWhole = false): string[] {
  const { id, kind, project = "", client, lines, until } = question;
  const waits =
    until === undefined
      ? "The run is durable: it waits as long as that takes."
      : `It waits for ${Math.max(0, Math.round((until - clock.wall()) / 1000))} s more.`;
  const asks = client === undefined ? "A script" : `A script of the client "${oneLine(client)}"`;
  const shown = isWhole ? linesOf(question) : lines;
  const more = kind === "call" ? "The arguments whole" : "Its code, its input and its digest";
  return [
    id,
    `  ${asks} ${WHAT[kind]}:`,
    ...shown.map((line) => `  ${oneLine(line)}`),
    ...(isWhole || linesOf(question).join() === lines.join() ? [] : [`  ${more}: codemode approvals ${id}`]),
    project === "" ? `  ${waits}` : `  Project: ${oneLine(project)}. ${waits}`,
  ];
}
