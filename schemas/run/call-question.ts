import { describeCallToApprove, isShortened, viewOf } from "./describe-call.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision, CallToApprove, LineChannel } from "./approval.ts";
import type { OpenQuestion } from "./durable-run.ts";
import { cleanAnswer, type PersonsReply, type ServerQuestion } from "./question.ts";

// One call as a question with two fields: what is to happen with it, and the text that this needs. So each way to ask a person has all answers.

const CHOICES = [
  ["allow", "Allow this call"],
  ["allow-for-run", "Allow this and all later calls of this tool in this run"],
  ["refuse", "Refuse it; the text is the reason"],
  ["change", "Make it with other arguments; the text is a JSON object of the changed ones"],
  ["answer", "Do not make it; the text is the result for the script, as JSON or plain"],
] as const;

const WHOLE = ["whole", "Show the arguments whole first"] as const;

type CallChoice = (typeof CHOICES)[number][0] | "whole";

/** How often a person is asked again whose answer cannot be read. */
const MOST_TIMES = 5;

/**
 * Asks about one call, and once more where the answer asks for the whole arguments or cannot be read.
 * @param ask puts a question to a person
 * @param channel what shows its lines
 */
export async function askAboutCall(
  request: ApprovalRequest,
  ask: (question: ServerQuestion) => Promise<PersonsReply>,
  channel: LineChannel = "markdown",
): Promise<ApprovalVerdict | CallDecision> {
  let isWhole = false;
  let problem: string | undefined;
  for (let times = 0; times < MOST_TIMES; times += 1) {
    const reply = await ask(makeCallQuestion(request, isWhole, problem, channel));
    if (reply.action === "unavailable") return "unavailable";
    if (reply.action !== "accept") return reply.action === "decline" ? "refused" : "closed";
    const read = readDecision(reply.content ?? {}, request.call?.input ?? {});
    if (typeof read === "object" && "verdict" in read) return read;
    isWhole ||= read === "whole";
    problem = read === "whole" ? undefined : read.problem;
  }
  return "closed";
}

/** The question; all that it shows of servers and scripts is quoted. */
export function makeCallQuestion(
  request: ApprovalRequest,
  isWhole = false,
  problem?: string,
  channel: LineChannel = "markdown",
): ServerQuestion {
  const choices = isWhole || !isShortened(request) ? CHOICES : [...CHOICES, WHOLE];
  return {
    ...{ mode: "form", isOwn: true, serverId: request.tools[0]?.serverId ?? "" },
    lines: [
      ...(problem === undefined ? [] : [problem]),
      "A script asks to make this call:",
      ...describeCallToApprove(request, isWhole, channel),
    ],
    fields: [
      {
        ...{ name: "decision", title: "What is to happen with the call?", isRequired: true, kind: "choice" },
        choices: choices.map(([value, title]) => ({ value, title })),
      },
      { name: "text", title: "Text", isRequired: false, kind: "text" },
    ],
  };
}

/** What an answer says; the changed arguments take the place of those of the same names in the input. */
export function readDecision(content: JsonObject, input: JsonObject): CallDecision | "whole" | { problem: string } {
  const text = ownValue(content, "text");
  const given = typeof text === "string" ? text.trim() : "";
  switch (ownValue(content, "decision") as CallChoice | undefined) {
    case "allow":
      return { verdict: "granted" };
    case "allow-for-run":
      return { verdict: "granted", forRun: true };
    case "refuse":
      return given === "" ? { verdict: "refused" } : { verdict: "refused", reason: given };
    case "change": {
      const changes = parseJson(given);
      if (!isJsonObject(changes)) return { problem: 'The text is no JSON object, such as {"path":"notes.txt"}.' };
      return { verdict: "changed", input: { ...input, ...changes } };
    }
    case "answer":
      return { verdict: "answered", result: parseJson(given) ?? given };
    case "whole":
      return "whole";
    // What a client sends is not held against the form.
    default:
      return { problem: "Choose what is to happen." };
  }
}

/** What decides about a script, by the words of the form. */
const SCRIPT_CHOICES = [
  ["allow", "Allow it in this run"],
  ["refuse", "Do not allow it; the text is the reason"],
] as const;

/** What answers a server, by the same words. */
const SERVER_CHOICES = [
  ["answer", "Answer it; the text is a JSON object of the values"],
  ["allow", "Yes: the page is open, or the values are as they are set"],
  ["refuse", "Decline it"],
] as const;

const CHOICES_OF = { call: CHOICES, script: SCRIPT_CHOICES, server: SERVER_CHOICES };

/** The answers to a question, for programs that show their own form: `decision` and its title. */
export function choicesOf(kind: OpenQuestion["kind"]): { value: string; title: string }[] {
  return CHOICES_OF[kind].map(([value, title]) => ({ value, title }));
}

/** What a decision says to a server; undefined where it is no answer to its question. */
export function toServerReply(decision: CallDecision, question: ServerQuestion): PersonsReply | undefined {
  if (decision.verdict === "refused") return { action: "decline" };
  if (decision.verdict === "changed") return undefined;
  const given = decision.verdict === "answered" ? decision.result : {};
  if (question.mode === "url") return decision.verdict === "granted" ? { action: "accept" } : undefined;
  const content = isJsonObject(given) ? cleanAnswer(given, question.fields) : undefined;
  return content === undefined ? undefined : { action: "accept", content };
}

/** Why a decision is no answer to a question about a script, or about this call. */
export function findInvalidAnswer(decision: CallDecision, call: CallToApprove | "script" | "call"): string | undefined {
  const { verdict } = decision;
  if (call === "script") {
    const isFit = verdict === "refused" || (verdict === "granted" && decision.forRun !== true);
    return isFit ? undefined : "This approval is for a whole script: allow or refuse it";
  }
  if (verdict !== "changed" || call === "call") return undefined;
  return viewOf(call).findMistake?.(call.input, { ...call.input, ...decision.input });
}

/** A decision without who has given it: the same text for the same answer. */
export function printDecision({ by: _, ...decision }: CallDecision): string {
  return canonicalJson(decision);
}

/** What a person has changed of a call, with the arguments that stay as they are: only the host has those without a mask. */
export function withInput(
  verdict: ApprovalVerdict | CallDecision,
  { call }: ApprovalRequest,
): ApprovalVerdict | CallDecision {
  if (typeof verdict === "string" || verdict.verdict !== "changed") return verdict;
  return { ...verdict, input: { ...call?.input, ...verdict.input } };
}

/** Undefined where the text is no JSON. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
