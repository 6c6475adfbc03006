import { makeValueMask } from "../schemas/secrets/mask-values.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config } from "../schemas/config/config.ts";
import { findSecrets } from "./log/find-secrets.ts";
import type { Log } from "./log/log.ts";
import { chooseLogLevel } from "./log/log-level.ts";

export type { Log };

/**
 * The log of a process that serves, on its standard error. Throws a `CodemodeError` for a level that does not exist.
 * @param option `--log-level`
 * @param isForClient whether a client starts the process, and shows what it writes
 */
export async function loadLog(config: Config, option: string | undefined, isForClient: boolean): Promise<Log> {
  const { env, stderr } = process;
  const isTerminal = stderr.isTTY;
  const variable = env["CODEMODE_LOG"];
  const level = chooseLogLevel({ option, variable, configured: config.log.level, isForClient, isTerminal });
  const { openLog } = await import("./log/open-log.ts");
  return openLog(level, isTerminal ? "text" : "json", makeValueMask(findSecrets(config, env)).text);
}

/** Logs the reason of a failed request; its client learns only that it failed. */
export function logFailure(error: unknown, log: Log, verbose: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const fields = error instanceof CodemodeError ? { code: error.code, hint: error.hint } : { code: "INTERNAL" };
  const stack = verbose && error instanceof Error ? { stack: error.stack } : {};
  log.error(message, { ...fields, ...stack });
}
