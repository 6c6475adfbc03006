import type { AskPerson } from "../../engine/open-host.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { fits } from "../../schemas/run/clean-answer.ts";
import { describeQuestion, fieldTitle } from "../../schemas/run/describe-question.ts";
import type { PersonsReply, QuestionField, ServerQuestion } from "../../schemas/run/question.ts";
import { makeTurns } from "../../schemas/turns.ts";
import { askYesOrNo, readLine, type Terminal, terminalOf } from "./ask-consent.ts";

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
  const isWilling = await askYesOrNo(question.mode === "url" ? "Go on? [y/N] " : "Answer? [y/N] ", terminal);
  if (terminal.signal.aborted) return { action: "cancel" };
  if (!isWilling) return { action: "decline" };
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
