import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

/** What every client accepts as the name of a tool. */
const LONGEST_NAME = 64;

/**
 * A name of a tool that every client accepts, independent of other tools: a changed name ends in a digest of its origin.
 */
export function toLegalName(plain: string, identity: JsonValue): string {
  if (/^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= LONGEST_NAME) return plain;
  const digest = integrityOf(identity)
    .slice("sha256-".length)
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 8);
  return `${plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME - digest.length - 4)}_${digest}`;
}
