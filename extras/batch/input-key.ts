import type { Integrity } from "../../schemas/lock/integrity.ts";

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
