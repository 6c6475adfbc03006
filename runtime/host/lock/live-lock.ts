import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Access } from "../../../schemas/access/access.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { ManifestTool } from "../../../schemas/run/bundle.ts";
import type { DriftPolicy } from "../../../schemas/config/config.ts";
import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { keepObserved, takeObserved } from "../../../schemas/observed/keep-observed.ts";
import type { Reader } from "../../../schemas/reader.ts";
import { type ConnectionOwner, connectionKey, ownerOf } from "../../mcp/client-server.ts";
import { toServerDiagnostic } from "../connection-tool-error.ts";
import {
  drifted,
  isRefused,
  LOCKED_FIRST,
  LOOSENED,
  NOT_WRITTEN,
  notConfigured,
  notLocked,
  REFRESHED,
  type Refusal,
  REVIEW,
  toShown,
} from "./describe-drift.ts";
import { makeDroppedTools } from "./dropped-tools.ts";
import { makeOfferedServers, type PendingDefinition } from "./offered-servers.ts";
import { makeServerLooks, type ServerLooks, type ServerLooksOptions } from "./server-looks.ts";
import { isLoosened } from "../checks/is-loosened.ts";
import type { DriftHandling, OnServerEvent } from "../../../schemas/run/server-event.ts";

/** The accepted snapshots while a host runs. It looks at the live servers and follows them as far as the policy allows. */
export interface LiveLock extends Pick<ServerLooks, "connect" | "isCurrent" | "seen"> {
  /** What scripts can use now. A run keeps the value that it started with. */
  current(): Lockfile;
  /** Takes in what is in the lockfile on disk, where that has changed; says whether it had. */
  reload(): Promise<boolean>;
  /** Gives servers packages of their own, where those of the project are of other entries. */
  emit(serverIds: readonly string[]): Promise<void>;
  /** A definition that waits for a person, as it was listed when it was offered. */
  findPending(serverId: string, name: string): PendingDefinition | undefined;
  /** Locks definitions that a person has accepted, and nothing else of their servers. Rejects where they cannot be written. */
  accept(tools: readonly AcceptedTool[], access: Access): Promise<void>;
  /** Says how servers differ whose changes wait for a person, naming only what the access shows. */
  describePending(serverIds: readonly string[], access: Access): Diagnostic[];
  /** Compares servers with the lockfile where that is due, and says what it found, naming only what the access shows. */
  look(serverIds: readonly string[], refusal: Refusal, access: Access): Promise<Diagnostic[]>;
  /** Compares servers with the lockfile for no run. */
  follow(serverIds: readonly string[], access: Access): Promise<void>;
  /** Tells observers of a difference that was found in the middle of a run. */
  report: ReportDrift;
}

/** The definition that a person was shown. */
export type AcceptedTool = Pick<ManifestTool, "serverId" | "toolName" | "integrity">;

type ReportDrift = (change: ServerChange, live: LockedServer, owner: ConnectionOwner, handling: DriftHandling) => void;

export interface LiveLockOptions extends ServerLooksOptions {
  lockfile: Lockfile;
  /** What to do about drift that refuses nothing. */
  drift: DriftPolicy;
  /** Makes a changed server the accepted one on disk too. */
  accept: (server: LockedServer) => Promise<unknown>;
  /** Puts definitions into the entry of a server on disk, and gives what the lockfile is then. */
  acceptDefinitions: (serverId: string, definitions: readonly LockedTool[]) => Promise<Lockfile>;
  /** Emits the package of an entry that is not in the lockfile on disk, and gives its folder. */
  emitPackage: (server: LockedServer) => Promise<string>;
  /** What is in the lockfile on disk, where it has changed since the last call. Without it the disk counts once, at the start. */
  readChanged?: (() => Promise<Lockfile | undefined>) | undefined;
  /** Servers that had no entry before this host was opened. */
  lockedFirst?: readonly string[] | undefined;
  /** For whom the hints of findings are; a person unless given. */
  reader?: Reader | undefined;
  /** Receives each difference once. */
  onEvent?: OnServerEvent | undefined;
}

export function makeLiveLock(options: LiveLockOptions): LiveLock {
  const { config, reader = "person" } = options;
  const looks = makeServerLooks(options);
  const offered = makeOfferedServers(options.lockfile, options.emitPackage);
  /** Servers whose first lock no answer has named yet. */
  const unnamed = new Set(options.lockedFirst);
  const report = makeDriftReport(options.onEvent);
  const dropped = makeDroppedTools();

  /** What one client's own server lists says nothing of what the others get: what all of them share does not follow it. */
  const follows = (serverId: string, refusal: Refusal, owner: ConnectionOwner): boolean => {
    if (ownerOf(serverId, owner) !== undefined) return false;
    return options.drift === "review"
      ? refusal.kind !== "server"
      : options.drift === "refresh" && refusal.kind === "none";
  };

  /** Those who ask together wait for one reading, and each of them compares again. */
  let reloading: Promise<boolean> | undefined;
  const reload = (): Promise<boolean> => (reloading ??= takeChanged().finally(() => (reloading = undefined)));
  const takeChanged = async (): Promise<boolean> => {
    const changed = await options.readChanged?.();
    if (changed === undefined) return false;
    const known = takeObserved(offered.accepted(), changed);
    // An entry that is the same stays the same value: what was made of it is not made again.
    const renewed = [...changed.servers].filter(
      ([id, { integrity }]) => known.servers.get(id)?.integrity !== integrity,
    );
    offered.replace({ servers: new Map([...known.servers, ...renewed]) });
    return true;
  };

  /** Another process may have locked it meanwhile: what differs from the lockfile in memory is held against the one on disk. */
  const findChange = async (live: LockedServer) => {
    const compare = () => {
      const accepted = offered.accepted().servers.get(live.id);
      return { accepted, change: diffServer(live.id, accepted, live) };
    };
    const compared = compare();
    return compared.change !== undefined && (await reload()) ? compare() : compared;
  };

  const lookAt = async (serverId: string, refusal: Refusal, access: Access): Promise<Diagnostic[]> => {
    const server = config.servers.find(({ id }) => id === serverId);
    if (server === undefined) return [notConfigured(serverId, refusal, reader)];
    // Nothing is started that could not be used afterwards.
    const isFollowed = follows(serverId, refusal, access);
    if (!offered.accepted().servers.has(serverId) && !isFollowed) return [notLocked(serverId, refusal, reader)];
    let live: LockedServer;
    try {
      live = await looks.list(server, access);
    } catch (error) {
      return [
        { ...toServerDiagnostic(error, serverId, reader), severity: refusal.kind === "server" ? "error" : "warning" },
      ];
    }
    const { accepted, change } = await findChange(live);
    if (change === undefined) {
      // One client's own server says nothing of the one that all others share.
      if (isFollowed) offered.withdraw(serverId);
      return [];
    }
    const shown = toShown(change, accepted, live, access);
    /** A caller gets no diagnostics about tools that are hidden from it. */
    const note = (handling: "refreshed" | "warned", hint: string): Diagnostic[] => {
      report(change, live, access, handling);
      return shown === undefined ? [] : [drifted("warning", serverId, shown, hint)];
    };
    if (isFollowed && options.drift === "review" && accepted !== undefined) {
      try {
        await offered.offer(accepted, live);
      } catch {
        return note("warned", REVIEW[reader]);
      }
      report(change, live, access, "pending");
      return [];
    }
    if (isRefused(change, refusal)) {
      report(change, live, access, "refused");
      return [drifted("error", serverId, shown, REVIEW[reader])];
    }
    if (!isFollowed || dropped.isFull(serverId)) return note("warned", REVIEW[reader]);
    if (isLoosened(accepted && dropped.addTo(accepted), live, config)) return note("warned", LOOSENED[reader]);
    try {
      await options.accept(live);
    } catch {
      return note("warned", NOT_WRITTEN[reader]);
    }
    if (accepted !== undefined) dropped.remember(accepted, live);
    replaceEntry(keepObserved(accepted, live));
    if (accepted !== undefined) return note("refreshed", REFRESHED[reader]);
    report(change, live, access, "refreshed");
    unnamed.add(serverId);
    return [];
  };

  /** The first answer that has to do with a server names its first lock. */
  const nameFirstLock = (serverId: string, access: Access): Diagnostic[] => {
    const server = offered.accepted().servers.get(serverId);
    if (server === undefined || !unnamed.delete(serverId)) return [];
    const change = diffServer(serverId, undefined, server) as ServerChange; // without an entry before, everything differs
    return [drifted("warning", serverId, toShown(change, undefined, server, access), LOCKED_FIRST[reader])];
  };

  const replaceEntry = (server: LockedServer): void =>
    offered.replace({ servers: new Map([...offered.accepted().servers, [server.id, server]]) });

  const acceptOf = async (serverId: string, tools: readonly AcceptedTool[], access: Access): Promise<void> => {
    const known = offered.changeOf(serverId);
    const definitions = tools.flatMap(({ toolName, integrity }) => {
      const definition = offered.findPending(serverId, toolName)?.after;
      return definition?.integrity === integrity ? [definition] : [];
    });
    const names = definitions.map(({ name }) => name);
    if (known === undefined || definitions.length === 0) return;
    const written = (await options.acceptDefinitions(serverId, definitions)).servers.get(serverId);
    if (written === undefined) return;
    const { toolsAdded, toolsChanged } = known.change;
    const among = (listed: readonly string[]): string[] => listed.filter((name) => names.includes(name));
    const taken = {
      ...known.change,
      toolsAdded: among(toolsAdded),
      toolsChanged: among(toolsChanged),
      toolsRemoved: [],
    };
    report(taken, known.live, access, "accepted");
    replaceEntry(written);
    if (diffServer(serverId, written, known.live) !== undefined) await offered.offer(written, known.live);
  };

  return {
    current: offered.current,
    reload,
    emit: async (serverIds) => void (await Promise.all(serverIds.map(offered.emit))),
    findPending: offered.findPending,
    async accept(tools, access) {
      for (const serverId of new Set(tools.map((tool) => tool.serverId))) {
        const ofServer = tools.filter((tool) => tool.serverId === serverId);
        await acceptOf(serverId, ofServer, access);
      }
    },
    describePending: (serverIds, access) =>
      serverIds.flatMap((serverId) => {
        const known = offered.changeOf(serverId);
        const shown = known && toShown(known.change, known.accepted, known.live, access);
        return shown === undefined ? [] : [drifted("warning", serverId, shown, REVIEW[reader])];
      }),
    connect: looks.connect,
    isCurrent: looks.isCurrent,
    seen: looks.seen,
    report,
    look: async (serverIds, refusal, access) => {
      const found = serverIds.map(async (id) => [...(await lookAt(id, refusal, access)), ...nameFirstLock(id, access)]);
      return (await Promise.all(found)).flat();
    },
    async follow(serverIds, access) {
      await Promise.all(serverIds.map((id) => lookAt(id, { kind: "none" }, access)));
    },
  };
}

/** Every run finds a difference again; it is reported once. */
function makeDriftReport(onEvent: OnServerEvent | undefined): ReportDrift {
  const reported = new Map<string, string>();
  return ({ serverId, toolsAdded, toolsRemoved, toolsChanged }, { integrity }, owner, handling) => {
    const news = `${handling} ${integrity}`;
    const key = connectionKey(serverId, owner);
    if (onEvent === undefined || reported.get(key) === news) return;
    reported.set(key, news);
    const client = ownerOf(serverId, owner);
    const server = { serverId, ...withoutUndefined({ client }) };
    onEvent({ kind: "drifted", ...server, handling, toolsAdded, toolsRemoved, toolsChanged });
  };
}
