import { hash } from "node:crypto";
import type { Integrity } from "../../schemas/lock/integrity.ts";

/** SHA-256 over the UTF-8 of a text, by the engine: ten times faster than plain code, and there are lockfiles of thousands of tools. */
export function digestText(text: string): Integrity {
  return `sha256-${hash("sha256", text, "base64")}`;
}
