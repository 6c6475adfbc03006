import type { JsonValue } from "../json.ts";

/**
 * What a change means for those who use a tool:
 *
 * - `breaking`: a script that was right may now be wrong
 * - `compatible`: whatever worked still works
 * - `text`: only words changed, which is how a tool is poisoned
 */
export type ChangeSeverity = "breaking" | "compatible" | "text";

/** One difference between two snapshots of a server. */
export interface Change {
  severity: ChangeSeverity;
  /** JSON Pointer (RFC 6901) into the lock entry, with tools by name: `/tools/echo/inputSchema/required`. */
  pointer: string;
  /** What happened, in a few words. */
  summary: string;
  /** Absent where it was added. */
  before?: JsonValue;
  /** Absent where it was removed. */
  after?: JsonValue;
}

/** One step of a JSON Pointer. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Leaves out a side that is not there, as JSON would. */
export function makeChange(
  severity: ChangeSeverity,
  pointer: string,
  summary: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change {
  return {
    severity,
    pointer,
    summary,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}
