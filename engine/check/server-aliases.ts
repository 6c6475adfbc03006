import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { OPERATION_LISTS } from "../../schemas/lock/operations.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { SERVERS_PREFIX } from "../bundle/imports/describe-foreign-import.ts";
import { findImported, type PackageScope } from "../bundle/packages/package-imports.ts";
import { parsePackageSpecifier } from "../bundle/packages/package-specifier.ts";
import { matchServer, readPublishedServer } from "../bundle/packages/published-server.ts";

/** Where the packages come from that a script names, and what they may mean. */
export interface AliasScope {
  servers: readonly LockedServer[];
  script: ScriptSource;
  packages: PackageScope;
}

/** The server modules that server packages stand for, by the packages' names. What the bundler refuses is left to it. */
export function findServerAliases(
  specifiers: readonly string[],
  { servers, script, packages }: AliasScope,
): Map<string, string> {
  const lockfile = { servers: new Map(servers.map((server) => [server.id, server])) };
  const aliases = new Map<string, string>();
  for (const specifier of new Set(specifiers)) {
    const { name, subpath } = parsePackageSpecifier(specifier) ?? { name: "", subpath: "" };
    const isModule = subpath === "." || OPERATION_LISTS.some(({ list }) => subpath === `./${list}`);
    if (specifier.startsWith("@codemode/") || !isModule) continue;
    const installed = findImported(name, packages, script.folder);
    const published = installed === undefined ? undefined : readPublishedServer(installed);
    if (published?.ok !== true) continue;
    const match = matchServer(published.server, lockfile);
    if (match.kind === "found") aliases.set(specifier, SERVERS_PREFIX + match.server.id + subpath.slice(1));
  }
  return aliases;
}
