import {
  answerConsent,
  listConsents,
  openConsentFolder,
  type WaitingConsent,
} from "../../serve/approvals/consent-files.ts";
import { approvalUnknown } from "../../schemas/command-line-errors.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command } from "../command.ts";

/** `codemode approvals`: lists the consents that runs of `codemode serve` wait for, on this account, and answers one. */
export const approvals: Command = async ({ args: [id], options, context }) => {
  const { result, note } = context.output;
  const [approves, refuses] = [options.has("approve"), options.has("refuse")];
  if (approves && refuses) throw optionInvalid("--approve", "it cannot be combined with --refuse");
  const folder = await openConsentFolder();
  if (approves || refuses) {
    if (id === undefined) throw optionInvalid(approves ? "--approve" : "--refuse", "name the consent by its id");
    if (!(await answerConsent(folder, id, approves ? "approve" : "refuse"))) throw approvalUnknown(id);
    note(approves ? "The consent is given, for this run." : "The consent is refused: the script does not run.");
    return 0;
  }
  const all = await listConsents(folder);
  const shown = id === undefined ? all : all.filter((consent) => consent.id === id);
  if (id !== undefined && shown.length === 0) throw approvalUnknown(id);
  if (options.has("json")) result(JSON.stringify(shown, null, 2));
  else if (shown.length === 0) note("No run waits for a consent.");
  else for (const line of shown.flatMap(describe)) result(line);
  return 0;
};

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
