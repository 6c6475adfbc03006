import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { findOperation } from "../../../schemas/lock/operations.ts";
import { withholdWords } from "../../../schemas/lock/withhold-words.ts";
import { digestText } from "../digest-text.ts";

/** A definition that no person has accepted yet, and the one in its place; without `before` it is new. */
export interface PendingDefinition {
  before: LockedTool | undefined;
  after: LockedTool;
}

/** What was accepted, and what scripts are offered instead of servers that differ from it (`drift: "review"`). */
export interface OfferedServers {
  accepted(): Lockfile;
  /** What scripts are bundled with: `accepted`, with what is offered in the place of servers that differ. A value for each state. */
  current(): Lockfile;
  /** Takes other entries for the accepted ones. An offer stays for a server whose entry is the same. */
  replace(accepted: Lockfile): void;
  /** Offers a server that differs from its accepted entry. Rejects where its package cannot be emitted; the offer before it stays. */
  offer(accepted: LockedServer, live: LockedServer): Promise<void>;
  /** Ends the offer for a server that is as it was accepted. */
  withdraw(serverId: string): void;
  /** Gives a server a package of its own, where the project's belongs to another entry. */
  emit(serverId: string): Promise<void>;
  /** The definitions of a server that are offered now and wait for a person. */
  findPending(serverId: string, name: string): PendingDefinition | undefined;
  /** How a server that is offered differs from its accepted entry. */
  changeOf(serverId: string): { change: ServerChange; accepted: LockedServer; live: LockedServer } | undefined;
}

interface Offer {
  accepted: LockedServer;
  live: LockedServer;
  server: LockedServer;
}

/** @param emitPackage emits the package of an entry outside of the project's own, and gives its folder */
export function makeOfferedServers(
  lockfile: Lockfile,
  emitPackage: (server: LockedServer) => Promise<string>,
): OfferedServers {
  let accepted = lockfile;
  let current = lockfile;
  const offers = new Map<string, Offer>();
  const emitting = new Map<string, Promise<void>>();

  const settle = (): void => {
    const servers = [...accepted.servers].map(([id, server]) => [id, offers.get(id)?.server ?? server] as const);
    current = servers.every(([id, server]) => accepted.servers.get(id) === server)
      ? accepted
      : { servers: new Map(servers) };
  };

  const isOffered = (before: LockedServer, live: LockedServer): boolean => {
    const known = offers.get(live.id);
    return known?.accepted.integrity === before.integrity && known.live.integrity === live.integrity;
  };

  const makeOffer = async (before: LockedServer, live: LockedServer): Promise<void> => {
    const withheld = withholdWords(before, live, digestText);
    const server = withheld === before ? before : { ...withheld, packageFolder: await emitPackage(withheld) };
    offers.set(live.id, { accepted: before, live, server });
    settle();
  };

  return {
    accepted: () => accepted,
    current: () => current,
    replace(renewed) {
      accepted = renewed;
      for (const [id, offer] of offers) {
        if (renewed.servers.get(id)?.integrity !== offer.accepted.integrity) offers.delete(id);
      }
      settle();
    },
    async offer(before, live) {
      if (isOffered(before, live)) return;
      // Runs that start together share one emission.
      const key = `${live.id} ${before.integrity} ${live.integrity}`;
      const running = emitting.get(key) ?? makeOffer(before, live).finally(() => emitting.delete(key));
      emitting.set(key, running);
      await running;
    },
    withdraw(serverId) {
      if (offers.delete(serverId)) settle();
    },
    async emit(serverId) {
      const server = current.servers.get(serverId);
      if (server === undefined) return;
      const placed = { ...server, packageFolder: await emitPackage(server) };
      const offer = offers.get(serverId);
      if (offer === undefined) accepted = { servers: new Map([...accepted.servers, [serverId, placed]]) };
      else offers.set(serverId, { ...offer, server: placed });
      settle();
    },
    findPending(serverId, name) {
      const offer = offers.get(serverId);
      if (findOperation(offer?.server, name)?.pending === undefined) return undefined;
      const after = findOperation(offer?.live, name);
      return after && { before: findOperation(offer?.accepted, name), after };
    },
    changeOf(serverId) {
      const offer = offers.get(serverId);
      const change = offer && diffServer(serverId, offer.accepted, offer.live);
      return change && { change, accepted: offer.accepted, live: offer.live };
    },
  };
}
