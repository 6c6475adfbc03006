import type { JsonObject } from "../../../schemas/json/json.ts";
import { VERSION } from "../../../schemas/version.ts";

/** How codemode introduces itself to servers. */
export const CLIENT_INFO = { name: "codemode", version: VERSION };

/** Asks the user what a server wants to know (`elicitation/create`): its parameters in, an `ElicitResult` out. */
export type Elicit = (request: JsonObject) => Promise<JsonObject>;

/**
 * What codemode declares that it can do for a server: nothing, unless there is somebody to ask. Real servers show
 * further tools to clients that declare more, so locking and running must declare the same.
 */
export function clientCapabilities(elicit: Elicit | undefined): JsonObject {
  return elicit === undefined ? {} : { elicitation: { form: { applyDefaults: true } } };
}
