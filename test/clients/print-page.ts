import type { Client } from "./client.ts";
import { CLIENTS } from "./list-clients.ts";
import { printDurable, printMeanwhile, printOwnForm, printVerdicts } from "./print-approvals.ts";
import type { Outcome, SeenAnswer } from "./read-outcome.ts";
import type { ScenarioName } from "./scenarios.ts";

/** The last outcomes of one client. */
export interface ClientResult {
  id: string;
  version: string;
  /** Of the last run, as `2026-11-22`. */
  date: string;
  outcomes: Partial<Record<ScenarioName, Outcome>>;
}

/** Without a text the trial has failed. */
type Column = readonly [
  title: string,
  scenario: ScenarioName,
  print: (outcome: Outcome, result: ClientResult) => string | undefined,
];

const ANSWER_COLUMNS: readonly Column[] = [
  ["A call", "call", printCall],
  ["After an error", "error", printError],
  ["400 calls", "many", ({ answers }) => printSize(answers[0])],
  ["A long run", "long", printLong],
  ["A large result", "large", printLarge],
  ["A picture", "image", printPicture],
];

const PLACE_COLUMNS: readonly Column[] = [
  ["Approval, without a person", "approval", printApproval],
  ["From a folder below", "below", printWorks],
  ["HTTP with a token", "http", printWorks],
  ["Resources", "resources", printResources],
  ["Skill in a shell", "skill", printWorks],
];

const APPROVAL_COLUMNS: readonly Column[] = [
  ["Tried on", "approve-call", (_outcome, { date }) => date],
  ["Its own form, without a person", "own-form", printOwnForm],
  ["What the model reads meanwhile", "approve-call", printMeanwhile],
  ["Three calls side by side", "approve-call", printVerdicts],
  ["A durable run, after a restart", "durable-call", printDurable],
];

const FAILED = "**fails**";

/** Prints a part from the results, and the lines that the page has of it. */
type PrintPart = (results: readonly ClientResult[], old?: readonly string[]) => string;

/** The parts of docs/clients.md by the names of their regions. A client that was not tried keeps its row. */
export const PAGE_PARTS: Readonly<Record<string, PrintPart>> = {
  seen: (results, old) =>
    printRows(["Client", "Version", "Tried on", "Entry", "Name", "Description"], results, {
      ...{ old, scenarios: ["call"] },
      print: (result) => [...printClient(result), ...printSeen(result)],
    }),
  answers: (results, old) => printColumns(ANSWER_COLUMNS, results, old),
  situations: (results, old) => printColumns(PLACE_COLUMNS, results, old),
  approvals: (results, old) => printColumns(APPROVAL_COLUMNS, results, old),
  limits: () => CLIENTS.flatMap(printLimits).join("\n"),
};

interface RowOptions {
  old: readonly string[] | undefined;
  /** A client that was tried with none of them keeps its old row. */
  scenarios: readonly ScenarioName[];
  print(result: ClientResult): string[];
}

function printRows(
  header: readonly string[],
  results: readonly ClientResult[],
  { old = [], scenarios, print }: RowOptions,
): string {
  const rows = CLIENTS.flatMap(({ id, title }) => {
    const result = results.find((each) => each.id === id);
    const isTried = scenarios.some((name) => result?.outcomes[name] !== undefined);
    const kept = isTried ? undefined : old.find((line) => line.startsWith(`| ${title} `));
    if (kept !== undefined) return [kept];
    return result === undefined ? [] : [printLine(print(result))];
  });
  return [printLine(header), printLine(header.map(() => "---")), ...rows].join("\n");
}

function printClient({ id, version, date }: ClientResult): string[] {
  const { title, entry } = clientOf(id);
  return [title, version, date, entry === undefined ? "in a program" : `\`codemode install ${entry.join(" ")}\``];
}

function clientOf(id: string): Client {
  const found = CLIENTS.find((client) => client.id === id);
  if (found === undefined) throw new Error(`There is no client ${id}.`);
  return found;
}

function printSeen({ outcomes: { call } }: ClientResult): string[] {
  if (call === undefined) return ["not tried", "not tried"];
  if (call.refusedName !== undefined) return [`\`${call.refusedName}\`, which its API refuses`, ""];
  if (call.name === undefined || call.description === undefined) return ["none", ""];
  const { characters, state } = call.description;
  const size = `${format(characters)}, ${state}`;
  return [`\`${call.name}\``, `${size}, ${call.isFromStart ? "at once" : "after a search"}`];
}

function printColumns(columns: readonly Column[], results: readonly ClientResult[], old?: readonly string[]): string {
  return printRows(["Client", ...columns.map(([title]) => title)], results, {
    old,
    scenarios: columns.map(([, scenario]) => scenario),
    print(result) {
      const { id, outcomes } = result;
      const client = clientOf(id);
      const cells = columns.map(([, scenario, print]) => {
        const outcome = outcomes[scenario];
        if (client.impossible?.[scenario] !== undefined) return "not possible";
        if (scenario === "resources" && client.resources === undefined) return "no tool for them";
        if (outcome === undefined) return "–";
        return (outcome.isFinished ? print(outcome, result) : undefined) ?? FAILED;
      });
      return [client.title, ...cells];
    },
  });
}

function printCall({ answers: [answer] }: Outcome): string {
  if (answer === undefined || answer.marks === 0) return FAILED;
  return `${printSize(answer)}, ${answer.marks === 1 ? "once" : "**twice**"}`;
}

function printError({ answers: [wrong, right] }: Outcome): string {
  const code = readCode(wrong);
  return code === undefined || right === undefined || right.marks === 0 ? FAILED : "corrected";
}

function printLong({ answers, seconds }: Outcome): string {
  if (answers.at(-1)?.text.includes("operation completed") !== true) return FAILED;
  const calls = answers.length === 1 ? "" : `, ${answers.length} calls`;
  return `${Math.round(seconds)} s${calls}`;
}

function printLarge({ answers: [large, next] }: Outcome): string {
  const isKept = next?.text.includes("4000") === true;
  return `${printSize(large)}${isKept ? ", then all of it" : ""}`;
}

/** Base64 of a PNG begins so. */
const PNG = "iVBORw0KGgo";

function printPicture({ answers: [answer] }: Outcome): string {
  if (answer === undefined) return FAILED;
  if (answer.images > 0) return `as a picture, with ${printSize(answer)}`;
  return answer.text.includes(PNG) ? `as text, with ${printSize(answer)}` : "**not shown**";
}

/** The code and the reason, without the sentence around it. */
function printApproval({ answers: [answer] }: Outcome): string {
  const message = /\\*"message\\*":\s*\\*"(.*?)\\*"/.exec(answer?.text ?? "")?.[1] ?? "";
  const reason = message.replace(/^.*?, and /, "").replace(/, so it did not run\.$/, "");
  return `\`${readCode(answer) ?? "no code"}\`: ${reason}`;
}

function printWorks({ answers }: Outcome): string {
  return answers.some(({ marks }) => marks > 0) ? "works" : FAILED;
}

function printResources({ answers: [list, read] }: Outcome): string {
  if (list?.text.includes("codemode://types/files") !== true) return FAILED;
  return read?.text.includes("declare module") === true ? "lists and reads them" : "lists them";
}

/** The code of the first diagnostic; in answers that hold JSON in strings, too. */
function readCode(answer: SeenAnswer | undefined): string | undefined {
  return /\\*"code\\*":\s*\\*"([A-Z_]+)/.exec(answer?.text ?? "")?.[1];
}

const printSize = (answer: SeenAnswer | undefined): string =>
  answer === undefined ? FAILED : format(answer.characters);

function printLimits({ title, impossible = {}, note }: Client): string[] {
  const reasons = [...(note === undefined ? [] : [note]), ...Object.values(impossible)];
  return reasons.map((reason) => `- **${title}**: ${reason}`);
}

function printLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const format = (count: number): string => count.toLocaleString("en-US");
