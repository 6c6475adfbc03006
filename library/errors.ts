import { CodemodeError } from "../schemas/codemode-error.ts";
import { RUN_KEY_RULE } from "../schemas/run/run-key.ts";
import { shortenText } from "../schemas/text/short-text.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";

// Errors of programs that use the public API, sorted by name.

/** A method of an engine is called after its `close`. */
export const engineClosed = (): CodemodeError =>
  new CodemodeError("ENGINE_CLOSED", 2, "The engine is closed.", "Open another one with `project.openEngine()`.");

/** `describeTool` or `connectTo` of an engine that was opened for one script or for calls only. */
export const engineLimited = (): CodemodeError =>
  new CodemodeError(
    "ENGINE_LIMITED",
    2,
    "The engine was opened for one script or for calls only.",
    "Open one without `script` and `callsOnly` to serve scripts of agents.",
  );

/** The program runs on another engine than Node, or without `node_modules`. */
export const nodeRequired = (cause: string, hint: string): CodemodeError =>
  new CodemodeError("NODE_REQUIRED", 2, cause, hint);

/** The idempotency key of a run is too long, or has characters that no key has. */
export const runKeyInvalid = (key: string): CodemodeError =>
  new CodemodeError(
    "RUN_KEY_INVALID",
    2,
    `${toSourceLiteral(shortenText(key, 64))} cannot be the key of a run.`,
    `A key has ${RUN_KEY_RULE}.`,
  );

/** A run that is recorded, or a dry one, is to be durable. */
export const runNotDurable = (): CodemodeError =>
  new CodemodeError(
    "RUN_NOT_DURABLE",
    2,
    "A run that is recorded, or a dry run, cannot be durable.",
    "Run it without `durable`.",
  );

/** `bundle` of a script that is already a pinned bundle. */
export const scriptPinned = (name: string): CodemodeError =>
  new CodemodeError(
    "SCRIPT_PINNED",
    2,
    `${name} is already a pinned bundle.`,
    "Bundle the script that it was made from.",
  );

/** An engine for a client that the configuration does not name. */
export const servedClientUnknown = (name: string, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "SERVED_CLIENT_UNKNOWN",
    2,
    `"serve.clients" has no "${name}".`,
    known.length === 0 ? 'Add it to "serve.clients" of the configuration.' : `It has: ${known.join(", ")}.`,
  );

/** A call from a program failed. */
export const toolCallFailed = (message: string, hint: string): CodemodeError =>
  new CodemodeError("TOOL_CALL_FAILED", 1, message, hint);

/** The name of a server is given instead of the name of a tool. */
export const toolUnnamed = (word: string): CodemodeError =>
  new CodemodeError("TOOL_UNNAMED", 2, `"${word}" does not name one tool.`, "Name it as SERVER/TOOL.");
