import { type JsonObject, isJsonObject } from "../../schemas/json/json.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";

/** What a person has decided about a question of a run, left for the process that has the run, or for the next one. */
export interface RunMessage {
  /** Counts the questions of the run, from 1. */
  question: number;
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

/** Undefined for what is no message. */
export function parseMessage(text: string | undefined): RunMessage | undefined {
  try {
    const value = JSON.parse(text ?? "") as JsonObject;
    if (!isJsonObject(value) || !isJsonObject(value["decision"])) return undefined;
    const { question, signature } = value;
    const isWhole = typeof question === "number" && (signature === undefined || typeof signature === "string");
    return isWhole && isDecision(value["decision"]) ? (value as unknown as RunMessage) : undefined;
  } catch {
    return undefined;
  }
}

function isDecision({ verdict, input, result, reason, forRun }: JsonObject): boolean {
  if (verdict === "granted") return forRun === undefined || typeof forRun === "boolean";
  if (verdict === "refused") return reason === undefined || typeof reason === "string";
  return verdict === "changed" ? isJsonObject(input) : verdict === "answered" && result !== undefined;
}
