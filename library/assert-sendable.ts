import { findUnsendable } from "@codemode/runtime/find-unsendable";
import { optionInvalid } from "../schemas/errors.ts";

/** Refuses a value of the program that JSON would drop, empty or make another one of: bytes, maps, promises. `name` is the option's. */
export function assertSendable(value: unknown, name: string): void {
  const found = findUnsendable(value);
  if (found === undefined) return;
  throw optionInvalid(`${name}${found.pointer}`, `it is ${found.what}, which cannot be written as JSON`, found.hint);
}
