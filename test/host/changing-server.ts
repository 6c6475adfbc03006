import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { Refusal } from "../../runtime/host/lock/drift-verdict.ts";
import { type LiveLockOptions, makeLiveLock } from "../../runtime/host/lock/live-lock.ts";
import type { ServerEvent } from "../../schemas/run/events.ts";
import { snapshotServers } from "../../runtime/host/lock/snapshot-servers.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS, type Policy } from "../../schemas/config/config-file.ts";
import { withDefinitions } from "../../schemas/lock/lock-server.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { toConfig } from "../../schemas/config/to-config.ts";

export const READ: WireTool = { name: "read" };
export const WRITE: WireTool = { name: "write" };

/** A server whose tools, sessions and announcements a test decides, and its clock. */
interface ChangingServer {
  tools: WireTool[];
  instructions: string | undefined;
  renewals: number;
  /** Another one is another process. */
  generation: object;
  /** How often its tools were listed. */
  lists: number;
  nowMs: number;
  listeners: (() => void)[];
  onList: () => void | Promise<void>;
  /** How often its connection was asked for. */
  gets: number;
  /** The tools that were called. */
  calls: string[];
  onCall: () => void;
}

const fresh = (): ChangingServer => ({
  ...{ tools: [READ], renewals: 0, generation: {}, lists: 0, nowMs: 1000, listeners: [], onList: () => {} },
  ...{ instructions: undefined, gets: 0, calls: [], onCall: () => {} },
});

export const server = fresh();

/** For `beforeEach` of each file: files share this module. */
export function resetServer(): void {
  Object.assign(server, fresh());
}

const living = new WeakMap<object, ServerConnection>();
const connections = {
  async get(serverId: string) {
    server.gets += 1;
    const known = living.get(server.generation) ?? makeConnection(serverId);
    living.set(server.generation, known);
    return known;
  },
} as unknown as ConnectionSet;

function makeConnection(id: string): ServerConnection {
  const { generation } = server;
  return {
    id,
    get ending() {
      if (server.generation === generation) return undefined;
      return new ConnectionError("closed", "gone", { serverName: id, hint: "" });
    },
    get renewals() {
      return server.renewals;
    },
    async snapshot() {
      server.lists += 1;
      await server.onList();
      const { tools, instructions } = server;
      return {
        ...{ serverInfo: {}, capabilities: {}, clientCapabilities: {} },
        protocolVersion: "2025-11-25",
        era: "legacy",
        ...{ tools, ...(instructions === undefined ? {} : { instructions }) },
      };
    },
    onToolsChanged: (listener: () => void) => server.listeners.push(listener),
    async callTool(name: string, _input: unknown, { renewals }: { renewals?: number }) {
      if (renewals !== server.renewals) throw new ConnectionError("session-lost", "gone", { serverName: id, hint: "" });
      server.calls.push(name);
      server.onCall();
      return { content: [] };
    },
  } as unknown as ServerConnection;
}

export function configOf(policy: Partial<Policy> = {}, names = ["files"]) {
  const mcpServers = Object.fromEntries(names.map((name) => [name, { url: "http://a.example" }]));
  return toConfig({ mcpServers, policy, relistAfterMs: 100 }, "c.json", "/p");
}

async function lockfileNow(): Promise<Lockfile> {
  const { taken } = await snapshotServers(configOf().servers, connections, configOf());
  server.lists = 0;
  return { servers: new Map(taken.map(({ server: locked }) => [locked.id, locked])) };
}

/** A live lock of the server as it is now, and all that it does. */
export async function setUp(changes: Partial<LiveLockOptions> = {}) {
  const accepted: LockedServer[] = [];
  const events: ServerEvent[] = [];
  const lockfile = changes.lockfile ?? (await lockfileNow());
  let onDisk = lockfile.servers;
  const lock = makeLiveLock({
    ...{ config: configOf(), lockfile, connections, drift: "warn", now: () => server.nowMs },
    accept: async (locked) => accepted.push(locked),
    acceptDefinitions: async (serverId, definitions) => {
      const entry = withDefinitions(onDisk.get(serverId) as LockedServer, definitions);
      accepted.push(entry);
      onDisk = new Map([...onDisk, [serverId, entry]]);
      return { servers: onDisk };
    },
    emitPackage: async ({ integrity }) => `/offered/${integrity}`,
    onEvent: (event) => events.push(event),
    ...changes,
  });
  const look = (refusal: Refusal = { kind: "none" }, ids = ["files"], access = ownAccess(DEFAULTS.policy)) =>
    lock.look(ids, refusal, access);
  return { lock, look, accepted, events, lockfile };
}
