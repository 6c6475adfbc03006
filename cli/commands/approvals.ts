import { setTimeout as delay } from "node:timers/promises";
import {
  type AnswerOutcome,
  approveConsent,
  decideConsent,
  linesOf,
  listConsents,
  openConsentFolder,
  refuseConsent,
  type WaitingConsent,
} from "../../serve/approvals/consent-files.ts";
import { readApprovalKey, setPassphrase, SHORTEST_PASSPHRASE } from "../../engine/approval-secret.ts";
import { isBelow } from "../../serve/approvals/client-processes.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { approvalNotPersonal, approvalUnknown } from "../../schemas/command-line-errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { isJsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
import { readHidden, terminalOf } from "../print/ask-on-terminal.ts";

/** `codemode approvals`: lists the approvals that runs of `codemode serve` wait for, on this account, and answers one. */
export const approvals: Command = async ({ args: [id], options, context }) => {
  const { result, note } = context.output;
  const [asked = "", ...others] = ["approve", "refuse", "change", "answer", "setup", "watch"].filter(options.has);
  if (others[0] !== undefined) throw optionInvalid(`--${asked}`, `it cannot be combined with --${others[0]}`);
  if (options.has("forRun") && asked !== "approve") throw optionInvalid("--for-run", "it goes with --approve");
  if (options.has("reason") && asked !== "refuse") throw optionInvalid("--reason", "it goes with --refuse");
  if (asked === "setup") return setUp(context);
  const folder = await openConsentFolder();
  if (asked === "watch") return watch(folder, options.has("json"), context);
  const all = await listConsents(folder);
  const shown = id === undefined ? all : all.filter((consent) => consent.id === id);
  const [consent] = shown;
  if (id !== undefined && consent === undefined) throw approvalUnknown(id);
  if (asked !== "") {
    if (id === undefined || consent === undefined) throw optionInvalid(`--${asked}`, "name the approval by its id");
    const decision = toDecision(asked, options, consent);
    const outcome =
      decision !== "approve" && decision.verdict === "refused"
        ? await refuseConsent(folder, consent, decision.reason)
        : await decide(folder, consent, decision, context);
    if (outcome === "gone" || outcome === "answered") throw approvalUnknown(id);
    note(DONE[consent.whole === undefined ? "script" : "call"][asked] ?? "");
    return 0;
  }
  if (options.has("json")) result(JSON.stringify(shown.map(toJson), null, 2));
  else if (shown.length === 0) note("No run waits for an approval.");
  else for (const line of shown.flatMap((each) => describe(each, id !== undefined))) result(line);
  return 0;
};

const DONE: Record<"script" | "call", { [asked: string]: string }> = {
  script: { approve: "Approved, for this run.", refuse: "Refused: the script does not run." },
  call: {
    approve: "Approved.",
    refuse: "Refused: the call is not made, and the script gets an error.",
    change: "Approved with these arguments, if they fit the tool; otherwise the call is asked about again.",
    answer: "Answered: the call is not made. A result that does not fit the tool is asked about again.",
  },
};

/** What the options decide. Only a call can be changed, answered, or approved with all later ones. */
function toDecision(asked: string, options: OptionValues, { whole }: WaitingConsent): "approve" | CallDecision {
  if (asked === "refuse") return { verdict: "refused", ...withoutUndefined({ reason: options.text("reason") }) };
  if (asked === "approve" && whole === undefined && !options.has("forRun")) return "approve";
  if (whole === undefined)
    throw optionInvalid(`--${asked === "approve" ? "for-run" : asked}`, "this approval is for a whole script");
  if (asked === "approve") return { verdict: "granted", forRun: options.has("forRun") };
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
async function watch(folder: string, asJson: boolean, { output, signal }: CommandContext): Promise<number> {
  output.note("Waiting for approvals. Answer them in another terminal; Ctrl+C ends this.");
  const known = new Set<string>();
  while (!signal.aborted) {
    for (const consent of await listConsents(folder)) {
      if (known.has(consent.id)) continue;
      known.add(consent.id);
      if (asJson) output.result(JSON.stringify(toJson(consent)));
      else for (const line of describe(consent)) output.result(line);
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return 0;
}

const OWN_TERMINAL = "Use a terminal of your own, or the page of `codemode ui`.";

/** The passphrase is what an agent with a shell does not have; the rest tells it so before it tries. */
async function decide(
  folder: string,
  consent: WaitingConsent,
  decision: "approve" | CallDecision,
  context: CommandContext,
): Promise<AnswerOutcome> {
  if (isBelow(consent.clientProcesses ?? [])) {
    throw approvalNotPersonal("this process was started by the client that asks", OWN_TERMINAL);
  }
  const key = await readApprovalKey();
  if (key === undefined) throw approvalsNotSetUp();
  for (const line of describe(consent, true)) context.output.note(line);
  const passphrase = await readPassphrase("Passphrase: ", context);
  const outcome =
    decision === "approve"
      ? await approveConsent(folder, consent, passphrase, key)
      : await decideConsent(folder, consent, decision, passphrase, key);
  if (outcome === "wrong")
    throw approvalNotPersonal("the passphrase is wrong", "Try again, or set another one with `--setup`.");
  return outcome;
}

async function setUp(context: CommandContext): Promise<number> {
  const passphrase = await readPassphrase("A new passphrase for approvals: ", context);
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw approvalNotPersonal(`a passphrase has ${SHORTEST_PASSPHRASE} characters or more`, "Choose a longer one.");
  }
  if ((await readPassphrase("Once more: ", context)) !== passphrase) {
    throw approvalNotPersonal("the two passphrases differ", "Run the command again.");
  }
  await setPassphrase(passphrase);
  context.output.note(
    "The passphrase is set. Start clients again that run `codemode serve`: they know the one from before.",
  );
  return 0;
}

async function readPassphrase(prompt: string, { signal }: CommandContext): Promise<string> {
  const terminal = terminalOf(signal);
  if (terminal === undefined) throw approvalNotPersonal("this is no terminal", OWN_TERMINAL);
  return (await readHidden(prompt, terminal)) ?? "";
}

/** For programs of the person: names and a time, with the question as it is shown beside them. */
function toJson(consent: WaitingConsent): object {
  const { id, project, client, names = [], whole, until } = consent;
  const kind = whole === undefined ? "script" : "call";
  return { id, kind, project, client, tools: names, question: linesOf(consent), until: new Date(until).toISOString() };
}

/** `isWhole` shows the arguments of a call to their ends, and the code of a script. */
function describe(consent: WaitingConsent, isWhole = false): string[] {
  const { id, project, client, tools, whole, script, until } = consent;
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  const asks = client === undefined ? "A script asks" : `A script of the client "${oneLine(client)}" asks`;
  const what = whole === undefined ? "to call these tools, any number of times in this run" : "to make this call";
  const shown = isWhole ? linesOf(consent) : tools;
  const more = script === undefined ? "The arguments whole" : "Its code, its input and its digest";
  return [
    id,
    `  ${asks} ${what}:`,
    ...shown.map((tool) => `  ${oneLine(tool)}`),
    ...(isWhole || linesOf(consent).join() === tools.join() ? [] : [`  ${more}: codemode approvals ${id}`]),
    `  Project: ${oneLine(project)}. It waits for ${seconds} s more.`,
  ];
}
