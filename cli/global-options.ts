import type { OptionSpec } from "./command.ts";

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flag: "--config <file>", description: "Use this configuration file" },
  { flag: "--cwd <dir>", description: "Use this folder instead of the current one" },
  { flag: "--trust", description: "Trust the configuration for this command, without asking" },
  { flag: "--verbose", description: "Show the stack and details of errors" },
];
