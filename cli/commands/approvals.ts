import {
  approveConsent,
  listConsents,
  openConsentFolder,
  refuseConsent,
  type WaitingConsent,
} from "../../serve/approvals/consent-files.ts";
import { readApprovalKey, setPassphrase, SHORTEST_PASSPHRASE } from "../../serve/approvals/approval-secret.ts";
import { isBelow } from "../../serve/approvals/client-processes.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { approvalNotPersonal, approvalUnknown } from "../../schemas/command-line-errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command, CommandContext } from "../command.ts";
import { readHidden, terminalOf } from "../print/ask-on-terminal.ts";

/** `codemode approvals`: lists the approvals that runs of `codemode serve` wait for, on this account, and answers one. */
export const approvals: Command = async ({ args: [id], options, context }) => {
  const { result, note } = context.output;
  const [asked = "", ...others] = ["approve", "refuse", "setup"].filter((name) => options.has(name));
  if (others[0] !== undefined) throw optionInvalid(`--${asked}`, `it cannot be combined with --${others[0]}`);
  if (asked === "setup") return setUp(context);
  const folder = await openConsentFolder();
  const all = await listConsents(folder);
  const shown = id === undefined ? all : all.filter((consent) => consent.id === id);
  const [consent] = shown;
  if (id !== undefined && consent === undefined) throw approvalUnknown(id);
  if (asked !== "") {
    if (id === undefined || consent === undefined) throw optionInvalid(`--${asked}`, "name the approval by its id");
    const outcome =
      asked === "approve" ? await approve(folder, consent, context) : await refuseConsent(folder, consent);
    if (outcome === "gone") throw approvalUnknown(id);
    note(asked === "approve" ? "Approved, for this run." : "Refused: the script does not run.");
    return 0;
  }
  if (options.has("json")) result(JSON.stringify(shown.map(toJson), null, 2));
  else if (shown.length === 0) note("No run waits for an approval.");
  else for (const line of shown.flatMap(describe)) result(line);
  return 0;
};

const OWN_TERMINAL = "Use a terminal of your own, or the page of `codemode ui`.";

/** The passphrase is what an agent with a shell does not have; the rest tells it so before it tries. */
async function approve(folder: string, consent: WaitingConsent, context: CommandContext) {
  if (isBelow(consent.clientProcesses ?? [])) {
    throw approvalNotPersonal("this process was started by the client that asks", OWN_TERMINAL);
  }
  const key = await readApprovalKey();
  if (key === undefined) throw approvalsNotSetUp();
  for (const line of describe(consent)) context.output.note(line);
  const outcome = await approveConsent(folder, consent, await readPassphrase("Passphrase: ", context), key);
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
function toJson({ id, project, client, tools, names = [], until }: WaitingConsent): object {
  return { id, project, client, tools: names, question: tools, until: new Date(until).toISOString() };
}

function describe({ id, project, client, tools, until }: WaitingConsent): string[] {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  const asks = client === undefined ? "A script asks" : `A script of the client "${oneLine(client)}" asks`;
  return [
    id,
    `  ${asks} to call these tools, any number of times in this run:`,
    ...tools.map((tool) => `  ${oneLine(tool)}`),
    `  Project: ${oneLine(project)}. It waits for ${seconds} s more.`,
  ];
}
