import { withoutUndefined } from "../json/without-undefined.ts";
import type { JsonValue } from "../json/json.ts";
import type { PolicyVerdict } from "../access/policy.ts";

/** The classes of changes, the gravest first. */
export const CHANGE_SEVERITIES = ["breaking", "policy", "compatible", "text", "observed"] as const;

/**
 * What a change means for those who use a tool:
 *
 * - `breaking`: a script that was right may now be wrong
 * - `policy`: calls are unchanged, and a policy may decide differently
 * - `compatible`: existing scripts still work
 * - `text`: only words changed, which is how a tool is poisoned
 * - `observed`: the shape of results that was learned; the server does not promise it
 */
export type ChangeSeverity = (typeof CHANGE_SEVERITIES)[number];

/** The classes as they are printed. */
export const CHANGE_SEVERITY_NAMES: Readonly<Record<ChangeSeverity, string>> = {
  breaking: "breaking",
  policy: "policy",
  compatible: "compatible",
  text: "text only",
  observed: "observed",
};

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
  /** What the project's policy says of calls, where it is known: of class `policy`, and without `before` of what was added. */
  verdict?: { before?: PolicyVerdict; after: PolicyVerdict };
}

/** Servers or changes by how grave they are; equal ones keep their order. */
export function gravestFirst<Graded extends Pick<Change, "severity">>(changes: readonly Graded[]): Graded[] {
  const rankOf = ({ severity }: Graded): number => CHANGE_SEVERITIES.indexOf(severity);
  return changes.toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** In a few words; of something new, what its calls get. */
export function describeVerdict({ before, after }: NonNullable<Change["verdict"]>): string {
  if (before === undefined) return after;
  return before === after ? `${after}, as before` : `${before} → ${after}`;
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
    ...withoutUndefined({ before, after }),
  };
}
