import type { JsonObject } from "../json.ts";

/** How codemode introduces itself to servers. A test compares the version with `package.json`. */
export const CLIENT_INFO = { name: "codemode", version: "0.1.0" };

/** Asks the user what a server wants to know (`elicitation/create`): its parameters in, an `ElicitResult` out. */
export type Elicit = (request: JsonObject) => Promise<JsonObject>;

/**
 * The capabilities that codemode declares to a server: none, unless a user can be asked. Real servers show
 * further tools to clients that declare more, so locking and running must declare the same.
 */
export function clientCapabilities(elicit: Elicit | undefined): JsonObject {
  return elicit === undefined ? {} : { elicitation: { form: { applyDefaults: true } } };
}
