import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { describeSaving } from "../../schemas/text/token-saving.ts";
import type { Trial } from "./run-trial.ts";

/** What a trial is about. */
export interface TrialStory {
  /** What a person asks for. */
  task: string;
  code: string;
  /** The sentence that the changed server has added, and where. */
  change: { server: string; tool: string; sentence: string };
}

/** A trial as one screen of a terminal. */
export function printTrial({ task, code, change }: TrialStory, trial: Trial): string[] {
  const { servers, calls, runMs, allowed, plainTokens, scriptTokens, answerTokens } = trial;
  const { used, percent } = describeSaving({ calls: plainTokens, script: scriptTokens, answer: answerTokens });
  const lines = code.trimEnd().split("\n");
  return [
    `Task    ${task}`,
    "",
    `Lock    ${servers.map(({ id, tools }) => `${id} (${countOf(tools, "tool")})`).join(", ")} → codemode.lock.json`,
    "",
    "Script  what an agent writes, with the types of the locked tools:",
    ...lines.map((line) => `        ${line}`),
    "",
    `Run     ${countOf(calls, "call")} in ${(runMs / 1_000).toFixed(1)} s, in a sandbox whose only way out are`,
    `        ${allowed.join(", ")}`,
    `        ${oneLine(shorten(JSON.stringify(trial.answer.result)))}`,
    "",
    `Tokens  ${format(plainTokens)} about, with plain tool calls: each argument and result is in the context`,
    `        ${format(used)} about, with codemode: the script (${scriptTokens}) and its answer (${answerTokens}): ${percent}`,
    "",
    `Drift   ${change.server} changes what it says of ${change.tool}: "${oneLine(change.sentence)}"`,
    ...trial.stopped.diagnostics
      .slice(0, 1)
      .flatMap(({ code: found, message }) => wrap(`${found}: ${oneLine(message)}`)),
    "        An agent does not see the sentence. `codemode diff` shows it, `codemode lock` accepts it.",
  ];
}

const WIDTH = 92;

/** Lines of words, below the first column. */
function wrap(text: string): string[] {
  const lines = text.match(new RegExp(`.{1,${WIDTH}}(?:\\s+|$)`, "g")) ?? [];
  return lines.map((line) => `        ${line.trimEnd()}`);
}

const LONGEST_RESULT = 160;

function shorten(json: string): string {
  return json.length > LONGEST_RESULT ? `${json.slice(0, LONGEST_RESULT)}…` : json;
}

function format(count: number): string {
  return count.toLocaleString("en").padStart(7);
}
