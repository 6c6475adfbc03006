import { type Access, visibleServer } from "../../schemas/access.ts";
import type { Diagnostic } from "../../schemas/answer.ts";
import type { Manifest } from "../../schemas/bundle.ts";
import type { Config, DriftPolicy, ServerConfig } from "../../schemas/config.ts";
import { diffServer, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile } from "../../schemas/lockfile.ts";
import { toServerDiagnostic } from "./connection-tool-error.ts";
import type { ConnectionSet } from "./connection-set.ts";
import type { ServerConnection } from "./connections/connect-server.ts";
import { isLoosened } from "./is-loosened.ts";
import type { OnServerEvent, ServerEvent } from "./observe/server-event.ts";
import { snapshotServer } from "./snapshot-servers.ts";

/** The accepted snapshots while a host runs. It looks at the live servers and follows them as far as the policy allows. */
export interface LiveLock {
  /** What is accepted now. A run keeps the value that it started with. */
  current(): Lockfile;
  /** Compares servers with the lockfile where that is due, and says what it found, naming only what the access shows. */
  look(serverIds: readonly string[], refusal: Refusal, access: Access): Promise<Diagnostic[]>;
}

/** When drift stops a run: never, when a tool of the manifest differs, or when anything of its servers does. */
export type Refusal = { kind: "none" } | { kind: "tool"; manifest: Manifest } | { kind: "server" };

export interface LiveLockOptions {
  config: Config;
  lockfile: Lockfile;
  connections: ConnectionSet;
  /** What to do about drift that refuses nothing. */
  drift: DriftPolicy;
  /** Makes a changed server the accepted one on disk too. */
  accept: (server: LockedServer) => Promise<unknown>;
  /** Told of each difference once. */
  onEvent?: OnServerEvent | undefined;
  /** Milliseconds, from any fixed point. */
  now?: () => number;
}

/** The last look at a server over one connection. */
interface Look {
  connection: ServerConnection;
  at: number;
  isStale: boolean;
  /** Absent until a look has succeeded. */
  live?: LockedServer | undefined;
}

export function makeLiveLock(options: LiveLockOptions): LiveLock {
  const { config, connections, now = performance.now.bind(performance) } = options;
  let lockfile = options.lockfile;
  const looks = new Map<string, Look>();
  const pending = new Map<string, Promise<LockedServer>>();
  const tell = makeDriftReport(options.onEvent);

  /** The look that belongs to a connection. It listens once, for as long as the connection lives. */
  const lookOver = (serverId: string, connection: ServerConnection): Look => {
    const known = looks.get(serverId);
    if (known?.connection === connection) return known;
    const look: Look = { connection, at: 0, isStale: false };
    connection.onToolsChanged(() => (look.isStale = true));
    looks.set(serverId, look);
    return look;
  };

  /** The server as it is; asked for again after a notification, a restart, or when the last look is too old. */
  const liveServer = async (server: ServerConfig): Promise<LockedServer> => {
    const look = lookOver(server.id, await connections.get(server.id));
    if (look.live !== undefined && !look.isStale && now() - look.at < config.relistAfterMs) return look.live;
    // Before asking: a notification that comes while the list is under way makes this look stale at once.
    look.isStale = false;
    look.at = now();
    look.live = undefined;
    look.live = (await snapshotServer(server, connections, config)).server;
    return look.live;
  };

  /** Runs that start together share one look. */
  const sharedLook = (server: ServerConfig): Promise<LockedServer> => {
    const running = pending.get(server.id) ?? liveServer(server).finally(() => pending.delete(server.id));
    pending.set(server.id, running);
    return running;
  };

  const follows = (refusal: Refusal): boolean => refusal.kind === "none" && options.drift === "refresh";

  const lookAt = async (serverId: string, refusal: Refusal, access: Access): Promise<Diagnostic[]> => {
    const server = config.servers.find(({ id }) => id === serverId);
    if (server === undefined) return [notConfigured(serverId, refusal)];
    // Nothing is started that could not be used afterwards.
    if (!lockfile.servers.has(serverId) && !follows(refusal)) return [notLocked(serverId, refusal)];
    let live: LockedServer;
    try {
      live = await sharedLook(server);
    } catch (error) {
      return [{ ...toServerDiagnostic(error, serverId), severity: refusal.kind === "server" ? "error" : "warning" }];
    }
    const accepted = lockfile.servers.get(serverId);
    const change = diffServer(serverId, accepted, live);
    if (change === undefined) return [];
    const shown = toShown(change, accepted, live, access);
    if (isRefused(change, refusal)) {
      tell(change, live, "refused");
      return [drifted("error", serverId, shown, REVIEW)];
    }
    /** Nobody is told of what somebody else alone can see. */
    const note = (severity: "info" | "warning", hint: string): Diagnostic[] => {
      tell(change, live, severity === "info" ? "refreshed" : "warned");
      return shown === undefined ? [] : [drifted(severity, serverId, shown, hint)];
    };
    if (!follows(refusal)) return note("warning", REVIEW);
    if (isLoosened(accepted, live, config))
      return note("warning", `The policy would allow more than before. ${REVIEW}`);
    try {
      await options.accept(live);
    } catch {
      return note("warning", "The lockfile could not be written; accept the change with `codemode lock`.");
    }
    lockfile = { servers: new Map([...lockfile.servers, [serverId, live]]) };
    return note("info", "The lockfile was renewed: review what changed in it.");
  };

  return {
    current: () => lockfile,
    look: async (serverIds, refusal, access) =>
      (await Promise.all(serverIds.map((id) => lookAt(id, refusal, access)))).flat(),
  };
}

/** Each run that meets a difference finds it anew. */
function makeDriftReport(onEvent: OnServerEvent | undefined) {
  const told = new Map<string, string>();
  return (
    { serverId, toolsAdded, toolsRemoved, toolsChanged }: ServerChange,
    { integrity }: LockedServer,
    handling: (ServerEvent & { kind: "drifted" })["handling"],
  ): void => {
    const news = `${handling} ${integrity}`;
    if (onEvent === undefined || told.get(serverId) === news) return;
    told.set(serverId, news);
    onEvent({ kind: "drifted", serverId, handling, toolsAdded, toolsRemoved, toolsChanged });
  };
}

const REVIEW = "Review it with `codemode diff`, and accept it with `codemode lock`.";

function isRefused(change: ServerChange, refusal: Refusal): boolean {
  if (refusal.kind !== "tool") return refusal.kind === "server";
  const differing = new Set([...change.toolsChanged, ...change.toolsRemoved]);
  return refusal.manifest.tools.some(
    ({ serverId, toolName }) => serverId === change.serverId && differing.has(toolName),
  );
}

/** The change as far as the access shows it; undefined where it shows none of it. */
function toShown(
  change: ServerChange,
  before: LockedServer | undefined,
  after: LockedServer,
  access: Access,
): ServerChange | undefined {
  // Whoever runs codemode may know what the policy denies.
  if (access.client === undefined) return change;
  const visible = before === undefined ? undefined : visibleServer(before, access);
  const shown = diffServer(change.serverId, visible, visibleServer(after, access));
  return shown === undefined || (shown.kind === "changed" && shown.changes.length === 0) ? undefined : shown;
}

function drifted(
  severity: Diagnostic["severity"],
  serverId: string,
  change: ServerChange | undefined,
  hint: string,
): Diagnostic {
  const what = change === undefined ? "" : ` (${describeChange(change)})`;
  const how = change?.kind === "added" ? "was not in the lockfile yet" : "differs from the lockfile";
  return { severity, code: "LOCK_DRIFT", message: `The server "${serverId}" ${how}${what}.`, hint };
}

function describeChange({ toolsAdded, toolsRemoved, toolsChanged }: ServerChange): string {
  const parts = [
    [toolsAdded, "added"],
    [toolsRemoved, "removed"],
    [toolsChanged, "changed"],
  ] as const;
  const tools = parts.filter(([names]) => names.length > 0).map(([names, what]) => `${what}: ${names.join(", ")}`);
  return tools.length === 0 ? "its own description changed" : `tools ${tools.join("; ")}`;
}

function notConfigured(serverId: string, refusal: Refusal): Diagnostic {
  return {
    severity: refusal.kind === "server" ? "error" : "warning",
    code: "LOCK_DRIFT",
    message: `The server "${serverId}" is in the lockfile but not in the configuration.`,
    hint: "Run `codemode lock`, or add the server again.",
  };
}

/** It was configured later, or did not answer when the others were locked. */
function notLocked(serverId: string, refusal: Refusal): Diagnostic {
  return {
    severity: refusal.kind === "server" ? "error" : "warning",
    code: "LOCK_DRIFT",
    message: `The server "${serverId}" is in the configuration but not in the lockfile.`,
    hint: `Run \`codemode lock ${serverId}\`, which needs the server to answer.`,
  };
}
