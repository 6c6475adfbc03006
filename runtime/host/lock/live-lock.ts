import type { ConnectionSet } from "../../mcp/connection-set.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Access } from "../../../schemas/access/access.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { ManifestTool } from "../../../schemas/run/bundle.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { DriftPolicy } from "../../../schemas/config/config-file.ts";
import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { keepObserved, takeObserved } from "../../../schemas/lock/lock-server.ts";
import { isProgram } from "../../../schemas/config/program-server.ts";
import type { Audience } from "../../../schemas/audience.ts";
import { type ConnectionOwner, connectionKey, findAnyServer, ownerOf } from "../../mcp/client-server.ts";
import { toServerDiagnostic } from "../connection-tool-error.ts";
import {
  drifted,
  LOCKED_FIRST,
  LOOSENED,
  NOT_WRITTEN,
  notConfigured,
  notLocked,
  REFRESHED,
  REVIEW,
  toShown,
} from "./describe-drift.ts";
import { isFollowed, isRefused, type Refusal } from "./drift-verdict.ts";
import { makeOfferedServers, type OfferedServers, type PendingDefinition } from "./offered-servers.ts";
import { makeServerLooks, type ServerLooks } from "./server-looks.ts";
import type { DriftHandling, OnServerEvent } from "../../../schemas/run/events.ts";
import { isLoosened, makeDroppedTools } from "./is-loosened.ts";

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

export interface LiveLockOptions {
  config: Config;
  connections: ConnectionSet;
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
  audience?: Audience | undefined;
  /** Receives each difference once. */
  onEvent?: OnServerEvent | undefined;
  /** Milliseconds, from any fixed point. */
  now?: (() => number) | undefined;
}

export function makeLiveLock(options: LiveLockOptions): LiveLock {
  return new FollowedLock(options);
}

class FollowedLock implements LiveLock {
  readonly #options: LiveLockOptions;
  readonly #audience: Audience;
  readonly #looks: ServerLooks;
  readonly #offered: OfferedServers;
  readonly #dropped = makeDroppedTools();
  /** Servers whose first lock no answer has named yet. */
  readonly #unnamed: Set<string>;
  /** Those who ask together wait for one reading, and each of them compares again. */
  #reloading: Promise<boolean> | undefined;
  readonly report: ReportDrift;
  readonly current: LiveLock["current"];
  readonly findPending: LiveLock["findPending"];
  readonly connect: LiveLock["connect"];
  readonly isCurrent: LiveLock["isCurrent"];
  readonly seen: LiveLock["seen"];

  constructor(options: LiveLockOptions) {
    this.#options = options;
    this.#audience = options.audience ?? "person";
    this.#looks = makeServerLooks(
      options.config,
      options.connections,
      (id) => this.#offered.current().servers.get(id),
      options.now,
    );
    this.#offered = makeOfferedServers(options.lockfile, options.emitPackage);
    this.#unnamed = new Set(options.lockedFirst);
    this.report = makeDriftReport(options.onEvent);
    ({ current: this.current, findPending: this.findPending } = this.#offered);
    ({ connect: this.connect, isCurrent: this.isCurrent, seen: this.seen } = this.#looks);
  }

  reload(): Promise<boolean> {
    return (this.#reloading ??= this.#takeChanged().finally(() => (this.#reloading = undefined)));
  }

  async emit(serverIds: readonly string[]): Promise<void> {
    await Promise.all(serverIds.map(this.#offered.emit));
  }

  async accept(tools: readonly AcceptedTool[], access: Access): Promise<void> {
    for (const serverId of new Set(tools.map((tool) => tool.serverId))) {
      const ofServer = tools.filter((tool) => tool.serverId === serverId);
      await this.#acceptOf(serverId, ofServer, access);
    }
  }

  describePending(serverIds: readonly string[], access: Access): Diagnostic[] {
    return serverIds.flatMap((serverId) => {
      const known = this.#offered.changeOf(serverId);
      const shown = known && toShown(known.change, known.accepted, known.live, access);
      return shown === undefined ? [] : [drifted("warning", serverId, shown, REVIEW[this.#audience])];
    });
  }

  async look(serverIds: readonly string[], refusal: Refusal, access: Access): Promise<Diagnostic[]> {
    const found = serverIds.map(async (id) => [
      ...(await this.#lookAt(id, refusal, access)),
      ...this.#nameFirstLock(id, access),
    ]);
    return (await Promise.all(found)).flat();
  }

  async follow(serverIds: readonly string[], access: Access): Promise<void> {
    await Promise.all(serverIds.map((id) => this.#lookAt(id, { kind: "none" }, access)));
  }

  async #takeChanged(): Promise<boolean> {
    const changed = await this.#options.readChanged?.();
    if (changed === undefined) return false;
    const known = takeObserved(this.#offered.accepted(), changed);
    // An entry that is the same stays the same value: what was made of it is not made again.
    const renewed = [...changed.servers].filter(
      ([id, { integrity }]) => known.servers.get(id)?.integrity !== integrity,
    );
    this.#offered.replace({ servers: new Map([...known.servers, ...renewed]) });
    return true;
  }

  /** Another process may have locked it meanwhile: what differs from the lockfile in memory is held against the one on disk. */
  async #findChange(live: LockedServer) {
    const compare = () => {
      const accepted = this.#offered.accepted().servers.get(live.id);
      return { accepted, change: diffServer(live.id, accepted, live) };
    };
    const compared = compare();
    return compared.change !== undefined && (await this.reload()) ? compare() : compared;
  }

  async #lookAt(serverId: string, refusal: Refusal, access: Access): Promise<Diagnostic[]> {
    const audience = this.#audience;
    const server = findAnyServer(this.#options.config, serverId);
    if (server === undefined) return [notConfigured(serverId, refusal, audience)];
    // Nothing is started that could not be used afterwards.
    // What one client's own server lists says nothing of what the others get: what all of them share does not follow it.
    const follows = ownerOf(serverId, access) === undefined && isFollowed(this.#options.drift, refusal);
    if (!this.#offered.accepted().servers.has(serverId) && !follows) return [notLocked(serverId, refusal, audience)];
    let live: LockedServer;
    try {
      live = await this.#looks.list(server, access);
    } catch (error) {
      const severity = refusal.kind === "server" ? "error" : "warning";
      return [{ ...toServerDiagnostic(error, serverId, audience), severity }];
    }
    if (isProgram(live)) {
      // The program's own code is what its author wants it to be.
      if (this.#offered.accepted().servers.get(serverId)?.integrity !== live.integrity) this.#replaceEntry(live);
      return [];
    }
    const { accepted, change } = await this.#findChange(live);
    if (change !== undefined) return this.#judge({ change, accepted, live, refusal, follows, access });
    if (follows) this.#offered.withdraw(serverId);
    return [];
  }

  /** Follows a difference, lets it wait for a person, names it or refuses it. */
  async #judge({ change, accepted, live, refusal, follows, access }: Difference): Promise<Diagnostic[]> {
    const audience = this.#audience;
    const { config, drift } = this.#options;
    const shown = toShown(change, accepted, live, access);
    /** A caller gets no diagnostics about tools that are hidden from it. */
    const note = (handling: "refreshed" | "warned", hint: string): Diagnostic[] => {
      this.report(change, live, access, handling);
      return shown === undefined ? [] : [drifted("warning", live.id, shown, hint)];
    };
    if (follows && drift === "review" && accepted !== undefined) {
      try {
        await this.#offered.offer(accepted, live);
      } catch {
        return note("warned", REVIEW[audience]);
      }
      this.report(change, live, access, "pending");
      return [];
    }
    if (isRefused(change, refusal)) {
      this.report(change, live, access, "refused");
      return [drifted("error", live.id, shown, REVIEW[audience])];
    }
    if (!follows || this.#dropped.isFull(live.id)) return note("warned", REVIEW[audience]);
    if (isLoosened(accepted && this.#dropped.addTo(accepted), live, config)) return note("warned", LOOSENED[audience]);
    try {
      await this.#options.accept(live);
    } catch {
      return note("warned", NOT_WRITTEN[audience]);
    }
    if (accepted !== undefined) this.#dropped.remember(accepted, live);
    this.#replaceEntry(keepObserved(accepted, live));
    if (accepted !== undefined) return note("refreshed", REFRESHED[audience]);
    this.report(change, live, access, "refreshed");
    this.#unnamed.add(live.id);
    return [];
  }

  /** The first answer that has to do with a server names its first lock. */
  #nameFirstLock(serverId: string, access: Access): Diagnostic[] {
    const server = this.#offered.accepted().servers.get(serverId);
    if (server === undefined || !this.#unnamed.delete(serverId)) return [];
    const change = diffServer(serverId, undefined, server) as ServerChange; // without an entry before, everything differs
    return [drifted("warning", serverId, toShown(change, undefined, server, access), LOCKED_FIRST[this.#audience])];
  }

  #replaceEntry(server: LockedServer): void {
    this.#offered.replace({ servers: new Map([...this.#offered.accepted().servers, [server.id, server]]) });
  }

  async #acceptOf(serverId: string, tools: readonly AcceptedTool[], access: Access): Promise<void> {
    const known = this.#offered.changeOf(serverId);
    const definitions = tools.flatMap(({ toolName, integrity }) => {
      const definition = this.findPending(serverId, toolName)?.after;
      return definition?.integrity === integrity ? [definition] : [];
    });
    const names = definitions.map(({ name }) => name);
    if (known === undefined || definitions.length === 0) return;
    const written = (await this.#options.acceptDefinitions(serverId, definitions)).servers.get(serverId);
    if (written === undefined) return;
    const { toolsAdded, toolsChanged } = known.change;
    const among = (listed: readonly string[]): string[] => listed.filter((name) => names.includes(name));
    const taken = { toolsAdded: among(toolsAdded), toolsChanged: among(toolsChanged), toolsRemoved: [] };
    this.report({ ...known.change, ...taken }, known.live, access, "accepted");
    this.#replaceEntry(written);
    if (diffServer(serverId, written, known.live) !== undefined) await this.#offered.offer(written, known.live);
  }
}

/** How a server differs from its entry, and for whom that is judged. */
interface Difference {
  change: ServerChange;
  accepted: LockedServer | undefined;
  live: LockedServer;
  refusal: Refusal;
  /** Whether the lockfile may follow it. */
  follows: boolean;
  access: Access;
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
