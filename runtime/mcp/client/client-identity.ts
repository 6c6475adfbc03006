import type { JsonObject } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";

/** How codemode introduces itself to servers. A test compares the version with `package.json`. */
export const CLIENT_INFO = { name: "codemode", version: "0.1.0" };

/**
 * The capabilities that codemode declares to a server. Real servers show further tools to clients that declare more, so locking and
 * running declare the same, whether or not there is a person to ask: a question that no person can be asked is declined.
 */
export function clientCapabilities(roots: readonly string[]): JsonObject {
  return withoutUndefined({ elicitation: { form: {}, url: {} }, roots: roots.length === 0 ? undefined : {} });
}
