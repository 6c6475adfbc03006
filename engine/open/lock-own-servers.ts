import { dirname } from "node:path";
import { nearestName } from "@codemode/runtime/nearest-name";
import { snapshotServers } from "../../runtime/host/lock/snapshot-servers.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { isProgram } from "../../schemas/config/program-server.ts";
import type { Config, OwnServerConfig } from "../../schemas/config/config.ts";
import { optionInvalid, ownServersChanged } from "../../schemas/errors.ts";
import { listSome } from "../../schemas/list-some.ts";
import { formatLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { writeAtomically } from "../project/files.ts";
import { readLockfileAt } from "../project/lockfile-file.ts";

/** A lockfile that has entries of the program's own servers. */
export interface OwnLock {
  /** Its absolute path. */
  file: string;
  /** A change is refused instead of written. */
  frozen: boolean;
}

/**
 * Places the entries of the program's own servers into a lockfile. They are the program's code: without `ownLock` nothing is written.
 * @throws CodemodeError where a server does not answer, or with `frozen` is not as it was locked (`OWN_SERVERS_CHANGED`)
 */
export async function lockOwnServers(
  own: readonly OwnServerConfig[],
  lockfile: Lockfile,
  { config, connections, ownLock }: { config: Config; connections: ConnectionSet; ownLock: OwnLock | undefined },
): Promise<Lockfile> {
  const kept = ownLock === undefined ? undefined : await readLockfileAt(ownLock.file);
  const { taken, failures } = await snapshotServers(own, connections, config, kept);
  if (failures[0] !== undefined) throw failures[0].error;
  for (const { server } of taken) assertRulesMeet(own, server);
  const entries = taken.map(({ server }) => [server.id, server] as const);
  if (ownLock !== undefined) {
    const others = [...(kept?.servers ?? [])].filter(([, server]) => !isProgram(server));
    await keep({ servers: new Map([...others, ...entries]) }, kept, ownLock);
  }
  const ofOthers = [...lockfile.servers].filter(([, server]) => !isProgram(server));
  return { servers: new Map([...ofOthers, ...entries]) };
}

async function keep(lockfile: Lockfile, kept: Lockfile | undefined, { file, frozen }: OwnLock): Promise<void> {
  const text = formatLockfile(lockfile);
  if (kept !== undefined && formatLockfile(kept) === text) return;
  if (!frozen) return writeAtomically(file, text, { project: dirname(file) });
  const changed = [...new Set([...lockfile.servers.keys(), ...(kept?.servers.keys() ?? [])])].filter(
    (id) => lockfile.servers.get(id)?.integrity !== kept?.servers.get(id)?.integrity,
  );
  throw ownServersChanged(file, changed);
}

/** A rule for a tool that does not exist would ask no one. */
function assertRulesMeet(own: readonly OwnServerConfig[], { id, name, tools }: LockedServer): void {
  const program = own.find((server) => server.id === id)?.source.program;
  const names = tools.map((tool) => tool.name);
  const ruled = [...(program?.tools.keys() ?? [])];
  const unknown = ruled.find((tool) => !names.includes(tool));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, names);
  const hint = nearest === undefined ? `It has ${listSome(names)}.` : `Did you mean \`${nearest}\`?`;
  throw optionInvalid(`server "${name}"`, `there is no tool "${unknown}", for which there are rules`, hint);
}
