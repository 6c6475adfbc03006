import { type Change, CHANGE_SEVERITIES, CHANGE_SEVERITY_NAMES } from "../../../schemas/diff/change.ts";
import type { VersionProposal } from "../propose-version.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { toMarkdownCode } from "./markdown-text.ts";
import { countOperations } from "../../../schemas/lock/count-operations.ts";

const TITLE = "# Changelog\n";

/**
 * The changelog with one section more, the newest on top. It names no date: the same releases give the same text.
 * @param older the changelog of the release before
 */
export function printChangelog(release: VersionProposal, server: LockedServer, older?: string): string {
  const section = [`## ${release.version}`, ...describeRelease(release, server, older === undefined)].join("\n\n");
  const rest = older === undefined ? "" : older.slice(older.startsWith(TITLE) ? TITLE.length : 0).trim();
  return `${[TITLE.trim(), section, rest].filter((part) => part !== "").join("\n\n")}\n`;
}

function describeRelease({ change }: VersionProposal, server: LockedServer, isFirst: boolean): string[] {
  if (isFirst) return [`The first release: ${countOperations(server)}.`];
  if (change === undefined) return ["The tools are the same, but codemode now generates different files."];
  const lists = [
    printNames("Removed", change.toolsRemoved),
    printNames("Added", change.toolsAdded),
    printNames("Changed", change.toolsChanged),
  ].filter((line) => line !== undefined);
  const rows = CHANGE_SEVERITIES.flatMap((severity) => change.changes.filter((row) => row.severity === severity));
  const table = ["| change | what | where in the lock entry |", "| --- | --- | --- |", ...rows.map(printRow)];
  return [lists.join("\n"), rows.length === 0 ? "" : table.join("\n")].filter((part) => part !== "");
}

function printNames(verb: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `- ${verb}: ${names.map(toMarkdownCode).join(", ")}`;
}

function printRow({ severity, summary, pointer }: Change): string {
  return `| ${CHANGE_SEVERITY_NAMES[severity]} | ${toMarkdownCode(summary)} | ${toMarkdownCode(pointer)} |`;
}
