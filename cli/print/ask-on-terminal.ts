import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { type ApprovalRequest, type Approve, describeToolToApprove } from "../../schemas/run/approval.ts";
import { describeScriptToApprove } from "../../schemas/run/describe-script.ts";
import { askAboutCall } from "../../schemas/run/call-question.ts";
import type { ApprovalWay } from "../../schemas/run/approval.ts";
import type { CommandContext } from "../command.ts";
import type { AskPerson } from "../../engine/open-host.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import {
  type PersonsReply,
  type QuestionField,
  type ServerQuestion,
  describeQuestion,
  fieldTitle,
  fits,
} from "../../schemas/run/question.ts";
import { makeTurns } from "../../schemas/turns.ts";

/** How a command gets approval. */
export interface Approver {
  approve: Approve;
  approvalBy: ApprovalWay;
}

/**
 * `--approve` approves calls in advance; otherwise the user at the terminal decides. What a server has changed since it was locked, and the
 * arguments of a call (`askEach`), have to be seen first, so that the flag does not cover them.
 */
export function approverOf(isApproved: boolean, { signal }: Pick<CommandContext, "signal">): Approver {
  const askPerson = askerOf(signal);
  const inTurn = makeTurns();
  const approve: Approve = async (request) => {
    if (request.call !== undefined)
      return inTurn(() => askAboutCall(request, (asked) => askPerson(asked, signal), "plain"));
    if (isApproved && request.tools.every(({ change }) => change === undefined)) return "granted";
    const terminal = terminalOf(signal);
    return terminal === undefined ? "unavailable" : askApproval(request, terminal);
  };
  return { approve, approvalBy: isApproved ? "flag" : "terminal" };
}

/** The two sides of a terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** The terminal of this process; undefined where its input or its messages go elsewhere. */
export function terminalOf(signal: AbortSignal): Terminal | undefined {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? { input: stdin, output: stderr, signal } : undefined;
}

/** Lists exactly what is asked for, with the script where the person wants to see that, and waits for an answer; anything but yes is no. */
export async function askApproval(
  { tools, script }: ApprovalRequest,
  terminal: Terminal,
): Promise<"granted" | "refused"> {
  terminal.output.write(
    `The policy asks for your approval of these calls, in this run alone:\n${tools.flatMap((tool) => describeToolToApprove(tool)).join("\n")}\n`,
  );
  const prompt = script === undefined ? "Allow? [y/N] " : "Allow? [y/N, s shows the script] ";
  for (;;) {
    const answer = (await readLine(prompt, terminal)) ?? "";
    if (script === undefined || answer.trim().toLowerCase() !== "s") return isYes(answer) ? "granted" : "refused";
    terminal.output.write(`${describeScriptToApprove(script).join("\n")}\n`);
  }
}

/** Asks whether calls of an earlier run stay as they are; without a terminal it is no. */
export function askToLeave(calls: readonly string[], signal: AbortSignal): Promise<boolean> {
  const intro = "The earlier run has made these calls, which this script does not make there:";
  return askAboutList(intro, calls, "Leave them as they are, and go on? [y/N] ", signal);
}

/** Asks whether a run goes on at servers that are elsewhere than when it began; without a terminal it is no. */
export function askToMove(servers: readonly string[], signal: AbortSignal): Promise<boolean> {
  const intro = "The calls of these servers go elsewhere than when the earlier run began:";
  return askAboutList(intro, servers, "Go on there? [y/N] ", signal);
}

/** Asks whether a run goes on with tools that have changed since it began; without a terminal it is no. */
export function askToChange(tools: readonly string[], signal: AbortSignal): Promise<boolean> {
  const intro = "These tools have changed since the run began, and its calls may mean something else now:";
  return askAboutList(intro, tools, "Go on with them? No leaves the run as it is. [y/N] ", signal);
}

async function askAboutList(
  intro: string,
  list: readonly string[],
  prompt: string,
  signal: AbortSignal,
): Promise<boolean> {
  const terminal = terminalOf(signal);
  terminal?.output.write(`${[intro, ...list.map((line) => `- ${oneLine(line)}`)].join("\n")}\n`);
  return terminal !== undefined && askYesOrNo(prompt, terminal);
}

/** Waits for an answer; anything but yes is no. */
export async function askYesOrNo(prompt: string, terminal: Terminal): Promise<boolean> {
  // An interruption and the end of the input are no approval.
  return isYes((await readLine(prompt, terminal)) ?? "");
}

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}

/** Waits for a line; undefined where the input ends or the signal is aborted. */
export async function readLine(prompt: string, { input, output, signal }: Terminal): Promise<string | undefined> {
  const terminal = createInterface({ input, output, signal, prompt });
  terminal.prompt();
  return nextLine(terminal);
}

/** The same for a line that is not shown as it is typed. */
export async function readHidden(prompt: string, { input, output, signal }: Terminal): Promise<string | undefined> {
  output.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await nextLine(createInterface({ input, output: silent, terminal: true, signal }));
  output.write("\n");
  return answer;
}

async function nextLine(terminal: Interface): Promise<string | undefined> {
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("line", resolve).once("close", () => resolve(undefined));
  });
  terminal.close();
  return answer;
}

/** Puts questions of servers on the terminal, one at a time; without a terminal there is no one to ask. */
export function askerOf(cancelled: AbortSignal): AskPerson {
  const inTurn = makeTurns();
  return async (question, signal) => {
    const terminal = terminalOf(AbortSignal.any([cancelled, signal]));
    return terminal === undefined ? { action: "unavailable" } : inTurn(() => askQuestion(question, terminal));
  };
}

/** Shows a question and reads the answer, field by field. An interruption and the end of the input close it. */
export async function askQuestion(question: ServerQuestion, terminal: Terminal): Promise<PersonsReply> {
  terminal.output.write(`${describeQuestion(question)}\n`);
  if (terminal.signal.aborted) return { action: "cancel" };
  if (question.isOwn !== true) {
    const isWilling = await askYesOrNo(question.mode === "url" ? "Go on? [y/N] " : "Answer? [y/N] ", terminal);
    if (terminal.signal.aborted) return { action: "cancel" };
    if (!isWilling) return { action: "decline" };
  }
  if (question.mode === "url") return { action: "accept" };
  const content = new Map<string, JsonValue>();
  for (const field of question.fields) {
    const value = await askField(question, field, terminal);
    if (value === CLOSED) return { action: "cancel" };
    if (value !== undefined) content.set(field.name, value);
  }
  return { action: "accept", content: Object.fromEntries(content) };
}

const CLOSED = Symbol("closed");

/** Asks again until the answer fits; an empty one leaves the field out, or means its preset. */
async function askField(
  question: ServerQuestion,
  field: QuestionField,
  terminal: Terminal,
): Promise<JsonValue | typeof CLOSED | undefined> {
  const { output } = terminal;
  output.write(`${fieldTitle(question, field)}${field.description === undefined ? "" : `: ${field.description}`}\n`);
  if (field.kind === "choice" || field.kind === "choices")
    field.choices.forEach(({ title }, at) => output.write(`  ${at + 1}. ${title}\n`));
  for (;;) {
    const line = (await readLine(`${hintOf(field)}> `, terminal))?.trim();
    if (line === undefined) return CLOSED;
    if (line === "" && (field.preset !== undefined || !field.isRequired)) return undefined;
    const value = toValue(line, field);
    if (value !== undefined && fits(value, field)) return value;
    output.write("This does not fit.\n");
  }
}

function hintOf(field: QuestionField): string {
  const kinds = {
    text: "text",
    number: "number",
    integer: "whole number",
    boolean: "y or n",
    choice: "1",
    choices: "1,2",
  };
  const preset = field.preset === undefined ? "" : `, else ${String(field.preset)}`;
  return `${kinds[field.kind]}${field.isRequired || preset !== "" ? "" : ", or nothing"}${preset}`;
}

function toValue(line: string, field: QuestionField): JsonValue | undefined {
  switch (field.kind) {
    case "text":
      return line === "" ? undefined : line;
    case "number":
    case "integer":
      return line === "" ? undefined : Number(line);
    case "boolean":
      return /^(y|yes|true)$/i.test(line) ? true : /^(n|no|false)$/i.test(line) ? false : undefined;
    case "choice":
      return toChoice(line, field.choices);
    case "choices":
      return line === "" ? [] : line.split(",").map((part) => toChoice(part.trim(), field.choices) ?? null);
  }
}

function toChoice(text: string, choices: readonly { value: string }[]): string | undefined {
  return choices[Number(text) - 1]?.value ?? choices.find(({ value }) => value === text)?.value;
}
