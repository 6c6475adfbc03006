import type { JsonObject } from "../../../schemas/json.ts";

/** How codemode introduces itself to servers. */
export const CLIENT_INFO = { name: "codemode", version: "0.1.0" };

/**
 * What codemode declares that it can do for a server: nothing, because it answers neither sampling nor elicitation nor
 * roots. Real servers show further tools to clients that declare more, so locking and running must declare the same.
 */
export const CLIENT_CAPABILITIES: JsonObject = {};
