import { optionInvalid } from "../../schemas/errors.ts";
import type { LogThreshold } from "../../schemas/config/config-file.ts";

const LOG_THRESHOLDS: readonly LogThreshold[] = ["silent", "error", "warn", "info", "debug"];

/** Where a level may come from, the first one that is given wins. */
export interface LogLevelSources {
  /** `--log-level`. */
  option: string | undefined;
  /** Of the environment. */
  variable: string | undefined;
  configured: LogThreshold | undefined;
  /** Whether the other end of standard input and output is a client, which may never read standard error. */
  isForClient: boolean;
  isTerminal: boolean;
}

const VARIABLE = "CODEMODE_LOG";

/** Throws a `CodemodeError` for a level that does not exist. */
export function chooseLogLevel(sources: LogLevelSources): LogThreshold {
  const { option, variable, configured, isForClient, isTerminal } = sources;
  if (option !== undefined) return toThreshold(option, "--log-level");
  if (variable !== undefined && variable !== "") return toThreshold(variable, VARIABLE);
  // An unread pipe is full after a few hundred lines, and then blocks the writer.
  return configured ?? (isForClient && !isTerminal ? "warn" : "info");
}

function toThreshold(text: string, name: string): LogThreshold {
  const known = LOG_THRESHOLDS.find((level) => level === text);
  if (known === undefined) throw optionInvalid(name, `use one of ${LOG_THRESHOLDS.join(", ")}`);
  return known;
}
