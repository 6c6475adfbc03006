import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { Log } from "./log.ts";

/** Logs the reason of a failed request; its client learns only that it failed. */
export function logFailure(error: unknown, log: Log, verbose: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const fields = error instanceof CodemodeError ? { code: error.code, hint: error.hint } : { code: "INTERNAL" };
  const stack = verbose && error instanceof Error ? { stack: error.stack } : {};
  log.error(message, { ...fields, ...stack });
}
