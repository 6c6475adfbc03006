import type { Integrity } from "../../schemas/lock/integrity.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

const DIGEST_CHARACTERS = 22;

/**
 * The idempotency key of the run for one input: the same whenever this batch runs this input, also in another process, and another one for every other
 * batch, line or input. Line and batch can be read from it.
 * @param batch 1 to 64 characters that a key may have
 */
export function keyOfInput(batch: string, line: number, input: Integrity): string {
  const digest = input.slice("sha256-".length).replaceAll("+", "-").replaceAll("/", "_");
  return `${batch}/${line}/${digest.slice(0, DIGEST_CHARACTERS)}`;
}

/** What came of one input. */
export type BatchResult =
  | { line: number; ok: true; result: JsonValue }
  | { line: number; ok: false; diagnostics: readonly Diagnostic[] };

/** What is kept of the answer to one input. */
export function toBatchResult(line: number, { result, diagnostics }: RunAnswer): BatchResult {
  const hasFailed = diagnostics.some(({ severity }) => severity === "error");
  return hasFailed ? { line, ok: false, diagnostics } : { line, ok: true, result };
}
