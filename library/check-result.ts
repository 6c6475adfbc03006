import type { InspectedTool } from "../engine/inspect-script.ts";
import type { CodemodeError } from "../schemas/codemode-error.ts";
import type { Diagnostic } from "../schemas/run/answer.ts";

/** What is known of a script that has not run. */
export interface CheckResult {
  /** True where nothing but warnings was found. */
  ok: boolean;
  /** Of bundling, type-checking and the policy. */
  diagnostics: readonly Diagnostic[];
  /** What the script may call, and what the policy says of each tool. Absent where the script cannot be bundled. */
  tools?: readonly InspectedTool[];
  /** Present where the configuration pins the script, and its pinned bundle is not what it would be now. */
  outdated?: CodemodeError;
}
