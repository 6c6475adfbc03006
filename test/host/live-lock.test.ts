import { beforeEach, describe, expect, test } from "vitest";
import type { ConnectionSet } from "../../runtime/host/connection-set.ts";
import { ConnectionError } from "../../runtime/host/connections/connection-error.ts";
import type { ServerConnection } from "../../runtime/host/connections/connect-server.ts";
import type { Refusal } from "../../runtime/host/describe-drift.ts";
import { type LiveLockOptions, makeLiveLock } from "../../runtime/host/live-lock.ts";
import type { ServerEvent } from "../../runtime/host/observe/server-event.ts";
import { snapshotServers } from "../../runtime/host/snapshot-servers.ts";
import { ownAccess } from "../../schemas/access.ts";
import { DEFAULT_POLICY, type Policy } from "../../schemas/config.ts";
import type { LockedServer, Lockfile, WireTool } from "../../schemas/lockfile.ts";
import { toConfig } from "../../schemas/to-config.ts";

const READ: WireTool = { name: "read" };
const WRITE: WireTool = { name: "write" };

/** A server whose tools, sessions and answers a test decides; the clock too. */
let tools: WireTool[];
let renewals: number;
let failure: Error | undefined;
let lists: number;
let nowMs: number;
let generation: object;
let listeners: (() => void)[];
let onList: () => void;
beforeEach(() => {
  [tools, renewals, failure, lists, nowMs] = [[READ], 0, undefined, 0, 1000];
  [generation, listeners, onList] = [{}, [], () => {}];
});

const living = new WeakMap<object, ServerConnection>();
const connections = {
  async get(serverId: string) {
    if (failure !== undefined) throw failure;
    const known = living.get(generation) ?? makeConnection(serverId);
    living.set(generation, known);
    return known;
  },
} as unknown as ConnectionSet;

function makeConnection(id: string): ServerConnection {
  return {
    id,
    get renewals() {
      return renewals;
    },
    async snapshot() {
      lists += 1;
      onList();
      const known = { serverInfo: {}, protocolVersion: "2025-11-25", era: "legacy", capabilities: {}, clientCapabilities: {} };
      return { ...known, tools };
    },
    onToolsChanged: (listener: () => void) => listeners.push(listener),
  } as unknown as ServerConnection;
}

const configOf = (policy: Partial<Policy> = {}, names = ["files"]) =>
  toConfig(
    { mcpServers: Object.fromEntries(names.map((name) => [name, { url: "http://a.example" }])), policy, relistAfterMs: 100 },
    "c.json",
    "/p",
  );

async function lockfileNow(): Promise<Lockfile> {
  const { taken } = await snapshotServers(configOf().servers, connections, configOf());
  lists = 0;
  return { servers: new Map(taken.map(({ server }) => [server.id, server])) };
}

async function setUp(changes: Partial<LiveLockOptions> = {}) {
  const accepted: LockedServer[] = [];
  const events: ServerEvent[] = [];
  const lockfile = changes.lockfile ?? (await lockfileNow());
  const lock = makeLiveLock({
    ...{ config: configOf(), lockfile, connections, drift: "warn", now: () => nowMs },
    accept: async (server) => accepted.push(server),
    onEvent: (event) => events.push(event),
    ...changes,
  });
  const look = (refusal: Refusal = { kind: "none" }, ids = ["files"], access = ownAccess(DEFAULT_POLICY)) => lock.look(ids, refusal, access);
  return { lock, look, accepted, events, lockfile };
}

const manifestOf = (...names: string[]): Refusal => ({
  kind: "tool",
  manifest: { tools: names.map((toolName) => ({ serverId: "files", toolName, exportName: toolName, integrity: "sha256-x" })) },
});

describe("a look at a server", () => {
  test("that is as it was locked finds nothing, and serves until it is too old", async () => {
    const { look, events } = await setUp();
    for (const [passedMs, seen] of [[0, 1], [99, 1], [1, 2], [50, 2]] as const) {
      nowMs += passedMs;
      expect(await look()).toEqual([]);
      expect(lists).toBe(seen);
    }
    expect(events).toEqual([]);
  });

  test("is shared by those who look together", async () => {
    const { look } = await setUp();
    await Promise.all([look(), look(), look()]);
    expect(lists).toBe(1);
    nowMs += 1000;
    await look();
    expect(lists).toBe(2);
  });

  test.each<[string, () => void]>([
    ["it announces a change", () => listeners.forEach((listener) => listener())],
    ["it was started again", () => (generation = {})],
  ])("is made again when %s", async (_name, change) => {
    const { look } = await setUp();
    await look();
    change();
    await look();
    await look();
    expect(lists).toBe(2);
  });

  test("that was overtaken by an announcement counts no longer", async () => {
    const { look } = await setUp();
    await look();
    nowMs += 1000;
    onList = () => listeners.forEach((listener) => listener());
    await look();
    onList = () => {};
    await look();
    expect(lists).toBe(3);
  });

  test("that failed is none: the next one asks again", async () => {
    const { look, lock } = await setUp();
    await look();
    expect([...lock.seen(["files", "none"]).keys()]).toEqual(["files"]);
    nowMs += 1000;
    onList = () => {
      throw new ConnectionError("timeout", "no", { serverName: "files", hint: "" });
    };
    expect(await look()).toMatchObject([{ code: "SERVER_UNAVAILABLE", severity: "warning" }]);
    expect(await look({ kind: "server" })).toMatchObject([{ code: "SERVER_UNAVAILABLE", severity: "error" }]);
    expect(lock.seen(["files"]).size).toBe(0);
    expect(lists).toBe(3);
  });

  test("listens to a connection once", async () => {
    const { look } = await setUp();
    for (let count = 0; count < 3; count += 1) {
      nowMs += 1000;
      await look();
    }
    expect(listeners).toHaveLength(1);
  });
});

describe("a server that differs", () => {
  test.each<[string, WireTool[], Refusal, "error" | "warning", RegExp]>([
    ["is named", [READ, WRITE], { kind: "none" }, "warning", /tools added: write/],
    ["stops every run where that is asked for", [READ, WRITE], { kind: "server" }, "error", /tools added: write/],
    ["stops a script whose tool it has changed", [{ ...READ, description: "x" }], manifestOf("read"), "error", /tools changed: read/],
    ["stops a script whose tool it has taken away", [WRITE], manifestOf("read"), "error", /removed: read/],
    ["stops no script whose tools it has kept", [READ, WRITE], manifestOf("read"), "warning", /added: write/],
    ["stops no script of other tools", [{ ...READ, description: "x" }], manifestOf("write"), "warning", /changed: read/],
  ])("%s", async (_name, now, refusal, severity, message) => {
    const { look, events, lock, lockfile, accepted } = await setUp();
    tools = now;
    expect(await look(refusal)).toEqual([
      { severity, code: "LOCK_DRIFT", message: expect.stringMatching(message), hint: expect.stringContaining("codemode diff") },
    ]);
    expect(events).toMatchObject([{ kind: "drifted", serverId: "files", handling: severity === "error" ? "refused" : "warned" }]);
    expect({ current: lock.current(), accepted }).toEqual({ current: lockfile, accepted: [] });
  });

  test("is told to observers once for each state, and of each handling", async () => {
    const { look, events } = await setUp();
    tools = [READ, WRITE];
    for (const refusal of [{ kind: "none" }, { kind: "none" }, { kind: "server" }, { kind: "none" }] as const) await look(refusal);
    tools = [WRITE];
    nowMs += 1000;
    await look();
    expect(events.map((event) => (event as { handling: string }).handling)).toEqual(["warned", "refused", "warned", "warned"]);
  });

  test("is followed where the policy says so, on disk too", async () => {
    const { look, events, lock, lockfile, accepted } = await setUp({ drift: "refresh" });
    tools = [READ, WRITE];
    expect(await look()).toEqual([expect.objectContaining({ severity: "info", hint: "The lockfile was renewed: review what changed in it." })]);
    expect(lock.current().servers.get("files")?.tools.map(({ name }) => name)).toEqual(["read", "write"]);
    expect(lock.current()).not.toBe(lockfile);
    expect(accepted.map(({ id }) => id)).toEqual(["files"]);
    expect(events).toMatchObject([{ handling: "refreshed", toolsAdded: ["write"] }]);
    expect(await look()).toEqual([]);
  });

  test("is not followed where a run is stopped by anything of it that its script uses", async () => {
    const { look, accepted } = await setUp({ drift: "refresh" });
    tools = [READ, WRITE];
    expect(await look(manifestOf("read"))).toMatchObject([{ severity: "warning" }]);
    expect(accepted).toEqual([]);
  });

  test("is not followed where that would loosen the policy", async () => {
    const { look, lock, lockfile } = await setUp({ drift: "refresh", config: configOf({ allow: ["@readOnly"] }) });
    tools = [{ ...READ, annotations: { readOnlyHint: true } }];
    expect(await look()).toMatchObject([{ severity: "warning", hint: expect.stringContaining("allow more than before") }]);
    expect(lock.current()).toBe(lockfile);
  });

  test("is not followed where the lockfile cannot be written", async () => {
    const accept = async () => {
      throw new Error("disk full");
    };
    const { look, lock, lockfile } = await setUp({ drift: "refresh", accept });
    tools = [READ, WRITE];
    expect(await look()).toMatchObject([{ severity: "warning", hint: expect.stringContaining("could not be written") }]);
    expect(lock.current()).toBe(lockfile);
  });

  test("is named for its reader, and not for one who sees nothing of the change", async () => {
    const { look, events } = await setUp({ reader: "agent", onEvent: undefined });
    tools = [READ, WRITE];
    const [finding] = await look();
    expect(finding?.hint).not.toContain("codemode ");
    const blind = { ...ownAccess(DEFAULT_POLICY), client: "bot", servers: [] };
    expect(await look({ kind: "none" }, ["files"], blind)).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe("a server that is not in both", () => {
  test("is not started where it could not be used afterwards", async () => {
    const { look } = await setUp({ lockfile: { servers: new Map() } });
    expect(await look()).toMatchObject([{ severity: "warning", message: expect.stringContaining("not in the lockfile") }]);
    expect(await look({ kind: "server" })).toMatchObject([{ severity: "error" }]);
    expect(lists).toBe(0);
  });

  test("is taken in where the policy follows", async () => {
    const { look, lock } = await setUp({ lockfile: { servers: new Map() }, drift: "refresh" });
    expect(await look({ kind: "server" })).toMatchObject([{ severity: "error", message: expect.stringContaining("not in the lockfile") }]);
    expect(await look()).toMatchObject([{ severity: "info", message: expect.stringContaining("was not in the lockfile yet") }]);
    expect([...lock.current().servers.keys()]).toEqual(["files"]);
  });

  test("is named where it is locked and not configured", async () => {
    const { look } = await setUp({ config: configOf({}, []) });
    expect(await look()).toMatchObject([{ severity: "warning", message: expect.stringContaining("not in the configuration") }]);
    expect(await look({ kind: "server" })).toMatchObject([{ severity: "error" }]);
  });
});

describe("a connection for a call", () => {
  const never = () => false;
  const always = () => true;

  test("comes with what was listed over it, without another list", async () => {
    const { lock, look } = await setUp();
    await look();
    expect(await lock.connect("files", always)).toMatchObject({ renewals: 0, live: { id: "files" } });
    expect(lists).toBe(1);
  });

  test.each<[string, () => void]>([
    ["has lost its session", () => (renewals += 1)],
    ["was started again", () => (generation = {})],
    ["has announced a change", () => listeners.forEach((listener) => listener())],
  ])("of a server that %s comes after a new list", async (_name, change) => {
    const { lock, look } = await setUp();
    await look();
    change();
    nowMs += 1000;
    tools = [WRITE];
    const { live, renewals: count } = await lock.connect("files", never);
    expect(live?.tools.map(({ name }) => name)).toEqual(["write"]);
    expect({ count, lists }).toEqual({ count: renewals, lists: 2 });
  });

  test("of a server that announces a change with each list comes after some of them", async () => {
    const { lock, look } = await setUp();
    await look();
    onList = () => listeners.forEach((listener) => listener());
    listeners.forEach((listener) => listener());
    expect(await lock.connect("files", always)).toMatchObject({ live: { id: "files" } });
    expect(lists).toBe(4);
  });

  test("without a list comes as it is where none is needed", async () => {
    const { lock, look } = await setUp();
    onList = () => {
      throw new Error("no list");
    };
    await look().catch(() => {});
    expect(await lock.connect("files", never)).toMatchObject({ live: undefined });
    await expect(lock.connect("files", always)).rejects.toThrow("no list");
    expect(lists).toBe(2);
  });

  test("of a server that is not configured has no list", async () => {
    const { lock } = await setUp({ config: configOf({}, []) });
    expect(await lock.connect("files", always)).toMatchObject({ live: undefined, renewals: 0 });
    expect(lists).toBe(0);
  });
});
