import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from "../../schemas/json/json.ts";
import type { CallDecision, ApprovalWay } from "../../schemas/run/approval.ts";

/** What a person has decided about a question of a run, left for the process that has the run, or for the next one. */
export interface RunMessage {
  /** Counts the questions of the run, from 1. */
  question: number;
  /** The digest of the question that was shown: the message counts for no other one that has the number. */
  digest: string;
  decision: CallDecision;
  /** Of the person, over the question and the decision; a refusal needs none. */
  signature?: string | undefined;
}

/** A message that is there. */
export interface LeftMessage {
  run: string;
  /** By which it is removed. */
  name: string;
  message: RunMessage;
}

/** A run keeps so many messages: what a program leaves beyond that is refused. */
export const MOST_MESSAGES = 1000;

const WAYS: readonly string[] = ["flag", "terminal", "form", "page", "operator", "callback"] satisfies ApprovalWay[];

/** Undefined for what is no message. */
export function parseMessage(text: string | undefined): RunMessage | undefined {
  const value = parseJsonObject(text ?? "");
  const { question, digest, signature, decision } = value ?? {};
  const isWhole = typeof question === "number" && typeof digest === "string" && isOptionalText(signature);
  return isWhole && isJsonObject(decision) && isDecision(decision) ? (value as unknown as RunMessage) : undefined;
}

function isDecision({ verdict, input, result, reason, forRun, by }: JsonObject): boolean {
  if (by !== undefined && !(isJsonObject(by) && WAYS.includes(String(by["way"])) && isOptionalText(by["name"])))
    return false;
  if (verdict === "granted") return forRun === undefined || typeof forRun === "boolean";
  if (verdict === "refused") return isOptionalText(reason);
  return verdict === "changed" ? isJsonObject(input) : verdict === "answered" && result !== undefined;
}

function isOptionalText(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === "string";
}
