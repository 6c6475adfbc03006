import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from "../../schemas/json/json.ts";
import type { ApprovalWay } from "../../schemas/run/approval.ts";
import type { RunMessage } from "./kept-runs.ts";

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
