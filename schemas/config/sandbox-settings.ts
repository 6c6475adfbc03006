import { withoutUndefined } from "../json/without-undefined.ts";
import { DEFAULTS, type Isolation, type SandboxEntry } from "./config-file.ts";

/** How scripts are given their processes. */
export interface SandboxSettings {
  isolation: Isolation;
  /** How many further runs a sandbox process may serve after its first, one at a time and for one client only; 0 with `process`. */
  reuse: number;
  /** Words of a program that starts the sandbox processes; absent where codemode starts them itself. */
  command?: readonly string[];
}

/** Fills in the defaults: `reuse` alone means compartments, and neither means the level that is usual where the runs come from. */
export function toSandboxSettings(
  { isolation, reuse, command }: SandboxEntry,
  usual: Isolation = "process",
): SandboxSettings {
  const level = isolation ?? (reuse === undefined ? usual : reuse === 0 ? "process" : "compartment");
  return {
    isolation: level,
    reuse: level === "process" ? 0 : (reuse ?? DEFAULTS.sandbox.reuse),
    ...withoutUndefined({ command }),
  };
}
