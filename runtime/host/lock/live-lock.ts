import type { Access } from "../../../schemas/access/access.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Config, DriftPolicy, ServerConfig } from "../../../schemas/config/config.ts";
import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { keepObserved, takeObserved } from "../../../schemas/observed/keep-observed.ts";
import type { Reader } from "../../../schemas/reader.ts";
import { type ConnectionOwner, connectionKey, ownerOf } from "../client-server.ts";
import { toServerDiagnostic } from "../connection-tool-error.ts";
import type { ConnectionSet } from "../connection-set.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import {
  drifted,
  isRefused,
  LOOSENED,
  NOT_WRITTEN,
  notConfigured,
  notLocked,
  type Refusal,
  REVIEW,
  toShown,
} from "./describe-drift.ts";
import { makeDroppedTools } from "./dropped-tools.ts";
import { isLoosened } from "../checks/is-loosened.ts";
import type { OnServerEvent, ServerEvent } from "../../../schemas/run/server-event.ts";
import { snapshotServer } from "./snapshot-servers.ts";

/** The accepted snapshots while a host runs. It looks at the live servers and follows them as far as the policy allows. */
export interface LiveLock {
  /** What is accepted now. A run keeps the value that it started with. */
  current(): Lockfile;
  /** Takes in what was learned of results meanwhile, of tools as they are accepted now. */
  learn(learned: Lockfile): void;
  /** Compares servers with the lockfile where that is due, and says what it found, naming only what the access shows. */
  look(serverIds: readonly string[], refusal: Refusal, access: Access): Promise<Diagnostic[]>;
  /** The servers as they were last listed for that owner, those that were. */
  seen(serverIds: readonly string[], owner: ConnectionOwner): ReadonlyMap<string, LockedServer>;
  /**
   * A connection for a call, with the server as it is listed there. The server is listed again first where it was restarted, has
   * lost its session, or has announced a change.
   * @param needsList for a connection whose list is still under way or could not be had: whether to ask for it once more
   */
  connect(
    serverId: string,
    owner: ConnectionOwner,
    needsList: (place: CallPlace) => boolean,
  ): Promise<ListedConnection>;
  /** Whether `connect` would find the same now, without asking the server. */
  isCurrent(serverId: string, owner: ConnectionOwner, listed: ListedConnection): boolean;
  /** Tells observers of a difference that was found in the middle of a run. */
  report: ReportDrift;
}

/** A connection between two of its renewals: what a list says of the server holds no longer than that. */
export interface CallPlace {
  connection: ServerConnection;
  renewals: number;
}

export interface ListedConnection extends CallPlace {
  /** Absent where the list was not needed. */
  live: LockedServer | undefined;
}

type ReportDrift = (
  change: ServerChange,
  live: LockedServer,
  owner: ConnectionOwner,
  handling: (ServerEvent & { kind: "drifted" })["handling"],
) => void;

/** A server that announces a change with each list is called on its latest one. */
const MAX_LISTS_BEFORE_CALL = 3;
/** A server that forgets the session with each list has none that a call could go by. */
const MAX_LISTS = 6;

export interface LiveLockOptions {
  config: Config;
  lockfile: Lockfile;
  connections: ConnectionSet;
  /** What to do about drift that refuses nothing. */
  drift: DriftPolicy;
  /** Makes a changed server the accepted one on disk too. */
  accept: (server: LockedServer) => Promise<unknown>;
  /** For whom the hints of findings are; a person unless given. */
  reader?: Reader;
  /** Receives each difference once. */
  onEvent?: OnServerEvent | undefined;
  /** Milliseconds, from any fixed point. */
  now?: () => number;
}

/** The last look at a server over one connection. */
interface Look extends CallPlace {
  at: number;
  isStale: boolean;
  /** Absent until a look has succeeded. */
  live?: LockedServer | undefined;
}

export function makeLiveLock(options: LiveLockOptions): LiveLock {
  const { config, connections, reader = "person", now = performance.now.bind(performance) } = options;
  let lockfile = options.lockfile;
  /** By `connectionKey`. */
  const looks = new Map<string, Look>();
  const pending = new Map<string, Promise<LockedServer>>();
  const report = makeDriftReport(options.onEvent);
  const dropped = makeDroppedTools();

  /** The look that belongs to a connection. It listens once, for as long as the connection lives. */
  const lookOver = (key: string, connection: ServerConnection): Look => {
    const known = looks.get(key);
    if (known?.connection === connection) return known;
    const look: Look = { connection, renewals: connection.renewals, at: 0, isStale: false };
    connection.onToolsChanged(() => (look.isStale = true));
    looks.set(key, look);
    return look;
  };

  /** The server as it is; asked for again after a notification, a restart, or when the last look is too old. */
  const liveServer = async (server: ServerConfig, owner: ConnectionOwner): Promise<LockedServer> => {
    const connection = await connections.get(server.id, owner);
    const look = lookOver(connectionKey(server.id, owner), connection);
    const isOfNow = !look.isStale && look.renewals === connection.renewals;
    if (look.live !== undefined && isOfNow && now() - look.at < config.relistAfterMs) return look.live;
    // Before asking: a notification that comes while the list is under way makes this look stale at once.
    look.isStale = false;
    look.renewals = connection.renewals;
    look.at = now();
    look.live = undefined;
    look.live = (await snapshotServer(server, connection, config)).server;
    return look.live;
  };

  /** Runs that start together share one look. */
  const sharedLook = (server: ServerConfig, owner: ConnectionOwner): Promise<LockedServer> => {
    const key = connectionKey(server.id, owner);
    const running = pending.get(key) ?? liveServer(server, owner).finally(() => pending.delete(key));
    pending.set(key, running);
    return running;
  };

  /** What one client's own server lists says nothing of what the others get: the lockfile, which is theirs too, does not follow it. */
  const follows = (serverId: string, refusal: Refusal, owner: ConnectionOwner): boolean =>
    refusal.kind === "none" && options.drift === "refresh" && ownerOf(serverId, owner) === undefined;

  const lookAt = async (serverId: string, refusal: Refusal, access: Access): Promise<Diagnostic[]> => {
    const server = config.servers.find(({ id }) => id === serverId);
    if (server === undefined) return [notConfigured(serverId, refusal, reader)];
    // Nothing is started that could not be used afterwards.
    const isFollowed = follows(serverId, refusal, access);
    if (!lockfile.servers.has(serverId) && !isFollowed) return [notLocked(serverId, refusal, reader)];
    let live: LockedServer;
    try {
      live = await sharedLook(server, access);
    } catch (error) {
      return [
        { ...toServerDiagnostic(error, serverId, reader), severity: refusal.kind === "server" ? "error" : "warning" },
      ];
    }
    const accepted = lockfile.servers.get(serverId);
    const change = diffServer(serverId, accepted, live);
    if (change === undefined) return [];
    const shown = toShown(change, accepted, live, access);
    if (isRefused(change, refusal)) {
      report(change, live, access, "refused");
      return [drifted("error", serverId, shown, REVIEW[reader])];
    }
    /** A caller gets no diagnostics about tools that are hidden from it. */
    const note = (severity: "info" | "warning", hint: string): Diagnostic[] => {
      report(change, live, access, severity === "info" ? "refreshed" : "warned");
      return shown === undefined ? [] : [drifted(severity, serverId, shown, hint)];
    };
    if (!isFollowed) return note("warning", REVIEW[reader]);
    if (dropped.isFull(serverId)) return note("warning", REVIEW[reader]);
    if (isLoosened(accepted && dropped.addTo(accepted), live, config)) return note("warning", LOOSENED[reader]);
    try {
      await options.accept(live);
    } catch {
      return note("warning", NOT_WRITTEN[reader]);
    }
    if (accepted !== undefined) dropped.remember(accepted, live);
    lockfile = { servers: new Map([...lockfile.servers, [serverId, keepObserved(accepted, live)]]) };
    return note("info", "The lockfile was renewed: review what changed in it.");
  };

  const connect: LiveLock["connect"] = async (serverId, owner, needsList) => {
    const server = config.servers.find(({ id }) => id === serverId);
    const key = connectionKey(serverId, owner);
    for (let lists = 0; ; lists += 1) {
      const connection = await connections.get(serverId, owner);
      const { renewals } = connection;
      const look = looks.get(key);
      if (server === undefined) return { connection, renewals, live: undefined };
      if (look?.connection === connection && look.renewals === renewals) {
        const isSettled = !look.isStale || lists >= MAX_LISTS_BEFORE_CALL;
        if (isSettled && look.live !== undefined) return { connection, renewals, live: look.live };
        if (isSettled && !needsList({ connection, renewals })) return { connection, renewals, live: undefined };
      }
      if (lists >= MAX_LISTS) throw forgetsAlways(server.name);
      await sharedLook(server, owner);
    }
  };

  return {
    current: () => lockfile,
    learn: (learned) => void (lockfile = takeObserved(lockfile, learned)),
    connect,
    isCurrent(serverId, owner, { connection, renewals, live }) {
      const look = looks.get(connectionKey(serverId, owner));
      if (look === undefined || look.isStale || look.live === undefined || look.live !== live) return false;
      const isOfLook = look.connection === connection && look.renewals === renewals;
      return isOfLook && connection.renewals === renewals && connection.ending === undefined;
    },
    report,
    seen: (serverIds, owner) => {
      const lives = serverIds.map((id) => [id, looks.get(connectionKey(id, owner))?.live] as const);
      return new Map(lives.filter((entry): entry is readonly [string, LockedServer] => entry[1] !== undefined));
    },
    look: async (serverIds, refusal, access) =>
      (await Promise.all(serverIds.map((id) => lookAt(id, refusal, access)))).flat(),
  };
}

function forgetsAlways(serverName: string): ConnectionError {
  const hint = "restart the server, or ask its operator about sessions";
  const message = `The server "${serverName}" loses the session each time its tools are listed`;
  return new ConnectionError("session-lost", message, { serverName, hint });
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
    const server = { serverId, ...(client === undefined ? {} : { client }) };
    onEvent({ kind: "drifted", ...server, handling, toolsAdded, toolsRemoved, toolsChanged });
  };
}
