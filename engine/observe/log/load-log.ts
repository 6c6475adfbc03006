import { makeRedactor } from "@codemode/runtime/connections/redact-secrets";
import type { Config } from "../../../schemas/config/config.ts";
import { findSecrets } from "../find-secrets.ts";
import type { Log } from "./log.ts";
import { chooseLogLevel } from "./log-level.ts";

export interface LoadLogOptions {
  config: Config;
  /** `--log-level`. */
  option: string | undefined;
  isForClient: boolean;
}

/** The log of a process that serves, on its standard error. Throws a `CodemodeError` for a level that does not exist. */
export async function loadLog({ config, option, isForClient }: LoadLogOptions): Promise<Log> {
  const { env, stderr } = process;
  const isTerminal = stderr.isTTY;
  const variable = env["CODEMODE_LOG"];
  const level = chooseLogLevel({ option, variable, configured: config.log.level, isForClient, isTerminal });
  const { openLog } = await import("./open-log.ts");
  return openLog({ level, format: isTerminal ? "text" : "json", redact: makeRedactor(findSecrets(config, env)) });
}
