import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { SERVERS_PREFIX } from "../bundle/imports/describe-foreign-import.ts";
import type { PackageScope } from "../bundle/packages/package-imports.ts";

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

/** What the process that checks can be asked. Offsets are in UTF-16 units of the script. */
export type CheckerQuestion =
  | { kind: "check"; request: CheckRequest }
  | { kind: "complete"; request: CheckRequest; offset: number }
  | { kind: "describe"; request: CheckRequest; offset: number };

/** An import of something that is neither a relative path nor codemode's. */
const PACKAGE_IMPORT = /\b(?:from|import)\s*\(?\s*["'`](?!\.|@codemode\/)/;

/** A script without files beside it can only import what it spells out: the schemas of other servers need not be sent around. */
export function toCheckRequest(script: ScriptSource, lockfile: Lockfile, packages?: PackageScope): CheckRequest {
  const all = [...modulesOfLockfile(lockfile).values()];
  const spellsOutAll = script.folder === undefined && !PACKAGE_IMPORT.test(script.code);
  return {
    script,
    servers: spellsOutAll ? all.filter(({ id }) => script.code.includes(SERVERS_PREFIX + id)) : all,
    exportNames: new Map(all.map(({ id, tools }) => [id, tools.map(({ exportName }) => exportName)])),
    packages,
  };
}
