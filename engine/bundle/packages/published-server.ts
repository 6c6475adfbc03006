import { isJsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../../schemas/lock/operations.ts";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { describeUnreadable, findInside, readModuleText } from "../modules/source-files.ts";
import { type ServerPackage, META_EXPORT } from "../servers/load-server-package.ts";
import type { InstalledPackage } from "./find-package.ts";

/** What a package says of the server whose bindings it holds: its lock entry, checked like any other. */
export type PublishedServer = { ok: true; server: LockedServer } | { ok: false; reason: string };

const MAX_LOCK_BYTES = 8 * 1024 * 1024;

/** Reads the member `codemode` of a package and the lock entry that it names; undefined for every other package. */
export function readPublishedServer({ manifest, folder }: InstalledPackage): PublishedServer | undefined {
  const claim = ownValue(manifest, "codemode");
  const serverId = isJsonObject(claim) ? ownValue(claim, "serverId") : undefined;
  if (!isJsonObject(claim) || typeof serverId !== "string") return undefined;
  const lock = ownValue(claim, "lock");
  const found = findInside(folder, typeof lock === "string" ? lock : "");
  if (!found.ok && found.reason === "unreadable")
    return { ok: false, reason: `its lock entry cannot be read (${found.problem})` };
  if (!found.ok) return { ok: false, reason: "its lock entry is missing" };
  let text: string;
  try {
    text = readModuleText(found.file, MAX_LOCK_BYTES);
  } catch (error) {
    return { ok: false, reason: `its lock entry cannot be read (${describeUnreadable(error)})` };
  }
  const server = parseServers(text)?.get(serverId);
  if (server === undefined) return { ok: false, reason: "its lock entry is damaged" };
  if (ownValue(claim, "serverIntegrity") !== server.integrity) {
    return { ok: false, reason: "its lock entry is not the one that it was made from" };
  }
  return { ok: true, server };
}

/** What the parser complains about is the package's text, which shall not get into our messages. */
function parseServers(text: string): Lockfile["servers"] | undefined {
  try {
    return parseLockfile(text, "").servers;
  } catch {
    return undefined;
  }
}

/** The server of the project that a published one is, or why none can be named. */
export type ServerMatch =
  | { kind: "found"; server: LockedServer }
  | { kind: "unlocked" }
  | { kind: "ambiguous"; serverIds: string[] };

/**
 * Finds a published server among those of the project: the one of the same id that has any of its tools as they were published,
 * or the one that has the most of them. One of the same id is also taken where no server has any: its tools have changed.
 */
export function matchServer(published: LockedServer, { servers }: Lockfile): ServerMatch {
  const integrities = new Set(operationsOf(published).map(({ integrity }) => integrity));
  const shared = (server: LockedServer): number =>
    operationsOf(server).filter(({ integrity }) => integrities.has(integrity)).length;
  const sameId = servers.get(published.id);
  if (sameId !== undefined && shared(sameId) > 0) return { kind: "found", server: sameId };
  const counted = [...servers.values()].map((server) => ({ server, count: shared(server) }));
  const most = Math.max(0, ...counted.map(({ count }) => count));
  const [first, ...others] = most === 0 ? [] : counted.filter(({ count }) => count === most);
  if (first === undefined) return sameId === undefined ? { kind: "unlocked" } : { kind: "found", server: sameId };
  if (others.length === 0) return { kind: "found", server: first.server };
  return { kind: "ambiguous", serverIds: [first, ...others].map(({ server }) => server.id) };
}

/** True for every export that the published package has too. */
export function isPublished({ tools }: LockedServer, exportName: string): boolean {
  return exportName === META_EXPORT || tools.some((tool) => tool.exportName === exportName);
}

/** The tools among some exports that the project has locked otherwise than they were published. */
export function findPublishedDrift(
  published: LockedServer,
  { tools }: ServerPackage,
  exportNames: readonly string[],
): string[] {
  const integrities = new Map(published.tools.map(({ exportName, integrity }) => [exportName, integrity]));
  return exportNames.flatMap((name) => {
    const tool = tools.get(name);
    return tool === undefined || tool.integrity === integrities.get(name) ? [] : [tool.toolName];
  });
}
