import { beforeEach, describe, expect, test } from "vitest";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { configOf, READ, resetServer, server, setUp, WRITE } from "./changing-server.ts";

beforeEach(resetServer);

const access = ownAccess(DEFAULTS.policy);
const REVIEWED = { drift: "review" } as const;

/** A live lock beside a lockfile that a test writes, and how often it was read. */
async function setUpWithDisk(changes: Parameters<typeof setUp>[0] = REVIEWED) {
  const disk: { reads: number; written: Lockfile | undefined } = { reads: 0, written: undefined };
  const readChanged = async (): Promise<Lockfile | undefined> => {
    disk.reads += 1;
    const { written } = disk;
    disk.written = undefined;
    return written;
  };
  return { ...(await setUp({ ...changes, readChanged })), disk };
}

const another = (entry: LockedServer, id: string): LockedServer => ({ ...entry, id, integrity: `sha256-${id}` });

describe("the lockfile on disk", () => {
  test("is taken in where it has changed; entries that are the same stay the same values", async () => {
    const { lock, lockfile, disk } = await setUpWithDisk();
    expect(await lock.reload()).toBe(false);
    const files = lockfile.servers.get("files") as LockedServer;
    const added = another(files, "notes");
    disk.written = { servers: new Map([...new Map([["files", { ...files }]]), ["notes", added]]) };
    expect(await lock.reload()).toBe(true);
    expect(lock.current().servers.get("files")).toBe(files);
    expect(lock.current().servers.get("notes")).toBe(added);
  });

  test("is read where a server differs from what is known, and not where it does not", async () => {
    const { look, disk } = await setUpWithDisk();
    await look();
    expect(disk.reads).toBe(0);
    server.tools = [READ, WRITE];
    server.nowMs += 1000;
    await look();
    expect(disk.reads).toBe(1);
  });

  test("ends the offer of a server whose entry it changes, and no other one", async () => {
    const { lock, look, lockfile, disk } = await setUpWithDisk();
    const files = lockfile.servers.get("files") as LockedServer;
    server.tools = [READ, WRITE];
    await look();
    const offered = lock.current().servers.get("files");
    disk.written = { servers: new Map([["notes", another(files, "notes")]]) };
    await lock.reload();
    expect(lock.current().servers.get("files")).toBe(offered);
    const renewed = another(files, "files");
    disk.written = { servers: new Map([["files", renewed]]) };
    await lock.reload();
    expect(lock.current().servers.get("files")).toBe(renewed);
    expect(lock.findPending("files", "write")).toBeUndefined();
  });

  test("is taken in once by those who ask together", async () => {
    const { lock, lockfile, disk } = await setUpWithDisk();
    disk.written = { servers: new Map([["notes", another(lockfile.servers.get("files") as LockedServer, "notes")]]) };
    expect(await Promise.all([lock.reload(), lock.reload()])).toEqual([true, true]);
    expect(disk.reads).toBe(1);
    expect(await lock.reload()).toBe(false);
  });
});

test("with `review`, a server that differs stops every run where that is asked for", async () => {
  const { look, lock, lockfile, events } = await setUp(REVIEWED);
  server.tools = [READ, WRITE];
  expect(await look({ kind: "server" })).toMatchObject([{ severity: "error", code: "LOCK_DRIFT" }]);
  expect(lock.current()).toBe(lockfile);
  expect(events).toMatchObject([{ handling: "refused" }]);
});

test("with `refresh`, a server that is followed for no run is taken in", async () => {
  const { lock, accepted } = await setUp({ drift: "refresh" });
  server.tools = [READ, WRITE];
  await lock.follow(["files"], access);
  expect(accepted.map(({ tools }) => tools.map(({ name }) => name))).toEqual([["read", "write"]]);
});

test("a server that could not be locked first is named as one that is not in the lockfile", async () => {
  const { look } = await setUp({ lockfile: { servers: new Map() }, lockedFirst: ["files"] });
  expect(await look()).toMatchObject([{ message: expect.stringContaining("not in the lockfile") }]);
});

test("a look is at the server that is named, and at no other one", async () => {
  const { look, lock } = await setUp({ config: configOf({}, ["notes", "files"]) });
  expect(await look()).toEqual([]);
  expect(await lock.connect("files", {}, () => true)).toMatchObject({ live: { id: "files" } });
  server.renewals += 1;
  expect(await lock.connect("files", {}, () => true)).toMatchObject({ live: { id: "files" }, renewals: 1 });
});

test("what is found of one client's own server is reported with its name, and of others without one", async () => {
  const { look, events } = await setUp();
  const own = { ...access, client: "ada", ownValues: new Map([["files", { headers: {} }]]) };
  server.tools = [READ, WRITE];
  await look({ kind: "none" }, ["files"], own);
  await look({ kind: "none" }, ["files"], { ...own, ownValues: new Map() });
  const event = { kind: "drifted", serverId: "files", handling: "warned", toolsRemoved: [], toolsChanged: [] };
  expect(events).toStrictEqual([
    { ...event, client: "ada", toolsAdded: ["write"] },
    { ...event, toolsAdded: ["write"] },
  ]);
});

describe("a connection is the one of its list", () => {
  const looked = async () => {
    const { lock, look } = await setUp();
    await look();
    return { lock, look, listed: await lock.connect("files", {}, () => true) };
  };

  test("as long as nothing has changed", async () => {
    const { lock, listed } = await looked();
    expect(lock.isCurrent("files", {}, listed)).toBe(true);
    expect(lock.isCurrent("notes", {}, listed)).toBe(false);
    expect(lock.isCurrent("files", {}, { ...listed, live: undefined })).toBe(false);
    expect(lock.isCurrent("files", {}, { ...listed, renewals: listed.renewals + 1 })).toBe(false);
    expect(lock.isCurrent("files", {}, { ...listed, connection: { ...listed.connection } })).toBe(false);
  });

  test.each<[string, () => void]>([
    ["has announced a change", () => server.listeners.forEach((listener) => listener())],
    ["has lost its session", () => (server.renewals += 1)],
    ["has ended", () => (server.generation = {})],
  ])("until its server %s", async (_name, change) => {
    const { lock, listed } = await looked();
    change();
    expect(lock.isCurrent("files", {}, listed)).toBe(false);
  });

  test("until its server is listed again, also in vain", async () => {
    const { lock, look, listed } = await looked();
    server.nowMs += 1000;
    server.onList = () => {
      throw new Error("no list");
    };
    await look();
    expect(lock.isCurrent("files", {}, listed)).toBe(false);
    expect(lock.isCurrent("files", {}, { ...listed, live: undefined })).toBe(false);
  });

  test("and a server that loses its session with each list is given up after a few", async () => {
    const { lock } = await setUp();
    server.onList = () => void (server.renewals += 1);
    await expect(lock.connect("files", {}, () => true)).rejects.toMatchObject({
      ...{ kind: "session-lost", serverName: "files", hint: expect.stringContaining("Restart the server") },
    });
    expect(server.lists).toBe(6);
  });
});
