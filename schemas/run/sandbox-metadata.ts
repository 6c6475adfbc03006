import type { JsonObject } from "../json/json.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";

/** In `_meta` of the result of a run: what the sandboxes of this configuration do not guarantee. Absent where they do all that a process does. */
export const SANDBOX_META = "dev.codemode/sandbox";

/** What separates runs at the level of a process, and which level gives it up. */
const GIVEN_UP = {
  process: [],
  realm: ["a process for each run"],
  compartment: ["a process for each run", "intrinsics for each run"],
} as const;

/** With `sandbox.command` it is the command's, and codemode cannot know whether it holds. */
const OF_THE_COMMAND = ["namespaces", "privileges", "resource limits of the kernel"];

export function describeSandbox({ isolation, command }: SandboxSettings): JsonObject | undefined {
  const notGuaranteed = [...GIVEN_UP[isolation], ...(command === undefined ? [] : OF_THE_COMMAND)];
  return notGuaranteed.length === 0 ? undefined : { isolation, notGuaranteed };
}
