import type { Diagnostic } from "./answer.ts";

/** In `_meta` of a request to `serve`, of the result of a run, and of every call that a run makes: the idempotency key of the run. */
export const RUN_KEY_META = "dev.codemode/run-key";

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
