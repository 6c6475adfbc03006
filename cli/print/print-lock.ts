import { countOperations } from "../../schemas/lock/operations.ts";
import type { LockResult, ServerLockFailure } from "../../library/index.ts";
import { printChanges } from "./print-changes.ts";
import { type Output, reportError } from "./report.ts";

/** One line for each server that was looked at, and what changed. */
export function describeLock({ lockfile, changes, answered }: Omit<LockResult, "warnings">): string[] {
  const changed = new Set(changes.map(({ serverId }) => serverId));
  const count = (id: string): string => {
    const server = lockfile.servers.get(id);
    return server === undefined ? "" : countOperations(server);
  };
  return [
    ...answered.filter((id) => !changed.has(id)).map((id) => `${id}: ${count(id)}, unchanged`),
    ...changes.flatMap((change) =>
      change.kind === "added" ? [`${change.serverId}: ${count(change.serverId)}, added`] : printChanges([change]),
    ),
  ];
}

/** Names each server that did not answer, with its reason and what to do. */
export function reportFailures(failures: readonly ServerLockFailure[], output: Output, verbose: boolean): void {
  for (const { error } of failures) reportError(error, output, verbose);
}

/** The failures as JSON has them. */
export function listFailures(failures: readonly ServerLockFailure[]): object[] {
  return failures.map(({ serverId, error: { code, message, hint } }) => ({ serverId, code, message, hint }));
}

/** 1 if servers did not answer; if that is all that happened, the code of the first failure. */
export function exitCodeOfLock({ answered, failures }: Pick<LockResult, "answered" | "failures">): number {
  const [first] = failures;
  if (first === undefined) return 0;
  return answered.length === 0 && failures.length === 1 ? first.error.exitCode : 1;
}
