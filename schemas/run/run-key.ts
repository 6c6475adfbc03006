/** In `_meta` of a request to `serve`, of the result of a run, and of every call that a run makes: the idempotency key of the run. */
export const RUN_KEY_META = "dev.codemode/run-key";

/** What a key may be; none of these characters has a meaning in logs, URLs, SQL or terminals. */
const RUN_KEY = /^[\w.:/-]{1,128}$/;

export const RUN_KEY_RULE = "1 to 128 letters, digits, dots, colons, slashes, underscores and dashes";

export function isRunKey(text: string): boolean {
  return RUN_KEY.test(text);
}
