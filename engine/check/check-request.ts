import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import type { PackageScope } from "../bundle/packages/package-imports.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { sayProcessorTime, TOO_MUCH } from "../process/describe-unanswered.ts";
import { SERVERS_PREFIX } from "../bundle/modules/module-ids.ts";

/** One script, and what of the lockfile its check needs. */
export interface CheckRequest {
  script: ScriptSource;
  /** The locked servers that the script may import, each of their modules as one. */
  servers: readonly LockedServer[];
  /** The names of all locked tools, by the id of their module, for hints about missing imports. */
  exportNames: ReadonlyMap<string, readonly string[]>;
  /** Where packages come from that mean one of the servers. */
  packages?: PackageScope | undefined;
  /** The types of the earlier results that the script imports, by id, as TypeScript prints them. */
  resultTypes?: ReadonlyMap<string, string> | undefined;
  /** Where the script failed, as in `findCodeBehind`: only what can have to do with that is said. */
  failedAt?: readonly string[] | undefined;
}

/** What gives a run its result, as a place of a failure. */
export const RESULT_PLACE = "result";

/** What the process that checks can be asked: of a check, or of a place of the script, in UTF-16 units. */
export interface CheckerTask {
  kind: "check" | "complete" | "describe";
  request: CheckRequest;
  offset: number;
}

/** An import of something that does not spell out a server: a package, or a path. */
const OTHER_IMPORT = /\b(?:from|import)\s*(?:\(\s*)?["'`](?!@codemode\/)/;

/** A script without files beside it can only import what it spells out: the schemas of other servers need not be sent around. */
export function toCheckRequest(script: ScriptSource, lockfile: Lockfile, packages?: PackageScope): CheckRequest {
  const all = [...modulesOfLockfile(lockfile).values()];
  const spellsOutAll = script.folder === undefined && !OTHER_IMPORT.test(script.code);
  return {
    script,
    servers: spellsOutAll ? all.filter(({ id }) => script.code.includes(SERVERS_PREFIX + id)) : all,
    exportNames: new Map(all.map(({ id, tools }) => [id, tools.map(({ exportName }) => exportName)])),
    packages,
  };
}

/** What is said of a script that is too much for the checker: nothing against its types. */
export const UNCHECKABLE = describeIncomplete(`: ${TOO_MUCH}`, "Split large expressions into statements.");

/** The same where the processor time of the check was used up. */
export function describeLate(maxProcessorMs: number): Diagnostic {
  return describeIncomplete(
    ` within ${sayProcessorTime(maxProcessorMs)}`,
    "Give the values with large or recursive types a type of their own, or `any`.",
  );
}

/** The same where the process of the checker does not run. */
export const describeUnstarted = (remedy: string): Diagnostic =>
  describeIncomplete(": the process that checks them did not start", remedy);

function describeIncomplete(why: string, hint: string): Diagnostic {
  return {
    severity: "warning",
    code: "CHECK_INCOMPLETE",
    message: `The types of the script could not be checked${why}.`,
    hint: `The script may be right and can run. ${hint}`,
  };
}
