import type { Diagnostic } from "./answer.ts";

/** In `_meta` of a request to `serve`, of the result of a run, and of every call that a run makes: the idempotency key of the run. */
export const RUN_KEY_META = "dev.codemode/run-key";

/** In `_meta` of a call that a run makes: which of its calls it is, from 1. With the key of the run it names a call that is made again. */
export const CALL_NUMBER_META = "dev.codemode/call-number";

/** In the annotations of a tool: its server does the work of a call once, by key and number, however often it comes. */
export const TAKES_RUN_KEY = "dev.codemode/takes-run-key";

/** What a key may be; none of these characters has a meaning in logs, URLs, SQL or terminals. */
const RUN_KEY = /^[\w.:/-]{1,128}$/;

export const RUN_KEY_RULE = "1 to 128 letters, digits, dots, colons, slashes, underscores and dashes";

export function isRunKey(text: string): boolean {
  return RUN_KEY.test(text);
}

/** The answer to other work under the key of a run: a key stands for one piece of work. */
export const KEY_REUSED: Diagnostic = {
  severity: "error",
  code: "KEY_REUSED",
  message: "Another script or input was run with this key before.",
  hint: "Give each piece of work a key of its own.",
};
