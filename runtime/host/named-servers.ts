import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";

/** The ids of the servers whose tools a manifest holds. */
export function serversOf({ tools }: Manifest): string[] {
  return [...new Set(tools.map(({ serverId }) => serverId))];
}

/** The servers that a script names before it is bundled, or where it cannot be: one of them may have got the tool that is missing. */
export function namedServers(code: string, lockfile: Lockfile): string[] {
  return findNamed(code, lockfile.servers);
}

/** Those of the known servers that a script names. */
export function findNamed(code: string, known: Pick<ReadonlySet<string>, "has">): string[] {
  const names = [...code.matchAll(/@codemode\/servers\/([a-z0-9-]+)/g)].map(([, name]) => name as string);
  return [...new Set(names)].filter((name) => known.has(name));
}
