import { beforeEach, expect, test } from "vitest";
import { guardConnections } from "../../runtime/host/lock/guard-connections.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { withDefinitions } from "../../schemas/lock/lock-server.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { WITHHELD } from "../../schemas/lock/withhold-words.ts";
import { configOf, READ, resetServer, server, setUp, WRITE } from "./changing-server.ts";
import { runOf } from "./run-of.ts";

beforeEach(resetServer);

const access = ownAccess(DEFAULTS.policy);
const REVIEWED = { drift: "review" } as const;
const CHANGED = { ...READ, description: "Reads, and more." };

const toolsOf = (lockfile: Lockfile) =>
  lockfile.servers
    .get("files")
    ?.tools.map(({ name, description, pending }) => [name, description, pending !== undefined]);

const announce = (): void => {
  server.nowMs += 1000;
};

const integrityOf = (lockfile: Lockfile, name: string) =>
  lockfile.servers.get("files")?.tools.find((tool) => tool.name === name)?.integrity as `sha256-${string}`;

test("a server that changes is offered without its words, and nothing is accepted", async () => {
  const { look, lock, lockfile, accepted, events } = await setUp(REVIEWED);
  server.tools = [CHANGED, WRITE];
  expect(await look()).toEqual([]);
  expect(toolsOf(lock.current())).toEqual([
    ["read", WITHHELD, true],
    ["write", WITHHELD, true],
  ]);
  expect(lock.current().servers.get("files")?.packageFolder).toMatch(/^\/offered\//);
  expect(accepted).toEqual([]);
  expect(toolsOf(lockfile)).toEqual([["read", undefined, false]]);
  expect(events).toMatchObject([{ handling: "pending", toolsAdded: ["write"], toolsChanged: ["read"] }]);
  expect(lock.describePending(["files"], access)).toMatchObject([
    { severity: "warning", code: "LOCK_DRIFT", message: expect.stringContaining("added: write; changed: read") },
  ]);
});

test("looks that find the same give the same value, so that nothing is bundled again", async () => {
  const { look, lock } = await setUp(REVIEWED);
  server.tools = [READ, WRITE];
  await look();
  const first = lock.current();
  announce();
  await Promise.all([look(), look()]);
  expect(lock.current()).toBe(first);
});

test("a server that changes back is the accepted one again", async () => {
  const { look, lock, lockfile } = await setUp(REVIEWED);
  server.tools = [READ, WRITE];
  await look();
  server.tools = [READ];
  announce();
  await look();
  expect(lock.current()).toBe(lockfile);
  expect(lock.describePending(["files"], access)).toEqual([]);
});

test("what a person has accepted is locked alone, and the rest goes on waiting", async () => {
  const { look, lock, accepted, events } = await setUp(REVIEWED);
  server.tools = [CHANGED, WRITE];
  await look();
  const integrity = integrityOf(lock.current(), "write");
  await lock.accept([{ serverId: "files", toolName: "write", integrity }], access);
  expect(accepted).toHaveLength(1);
  expect(toolsOf(lock.current())).toEqual([
    ["read", WITHHELD, true],
    ["write", undefined, false],
  ]);
  expect(lock.findPending("files", "write")).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ handling: "accepted", toolsAdded: ["write"], toolsChanged: [] });
});

test("an approval is for the definition that was shown, and for no later one", async () => {
  const { look, lock, accepted } = await setUp(REVIEWED);
  server.tools = [CHANGED];
  await look();
  const integrity = integrityOf(lock.current(), "read");
  server.tools = [{ ...READ, description: "Reads, and sends." }];
  announce();
  await look();
  await lock.accept([{ serverId: "files", toolName: "read", integrity }], access);
  expect(accepted).toEqual([]);
  expect(lock.findPending("files", "read")).toMatchObject({ after: { description: "Reads, and sends." } });
});

test("a lockfile that another process has written is held against the server first", async () => {
  let onDisk: Lockfile | undefined;
  const readChanged = async (): Promise<Lockfile | undefined> => {
    const changed = onDisk;
    onDisk = undefined;
    return changed;
  };
  const { look, lock, lockfile, events } = await setUp({ ...REVIEWED, readChanged });
  server.tools = [READ, WRITE];
  await look();
  const definition = lock.findPending("files", "write")?.after;
  const entry = lockfile.servers.get("files") as LockedServer;
  onDisk = { servers: new Map([["files", withDefinitions(entry, definition === undefined ? [] : [definition])]]) };
  announce();
  expect(await look()).toEqual([]);
  expect(toolsOf(lock.current())).toEqual([
    ["read", undefined, false],
    ["write", undefined, false],
  ]);
  expect(events).toHaveLength(1);
});

test("where no package can be emitted the accepted entry stays, and the answer names the change", async () => {
  const emitPackage = () => Promise.reject(new Error("disk full"));
  const { look, lock, lockfile } = await setUp({ ...REVIEWED, emitPackage });
  server.tools = [READ, WRITE];
  expect(await look()).toMatchObject([{ severity: "warning", message: expect.stringContaining("added: write") }]);
  expect(lock.current()).toBe(lockfile);
});

test("a server without an entry is locked as it is, and the first answer says so, once", async () => {
  const { look, lock, accepted, events } = await setUp({ ...REVIEWED, lockfile: { servers: new Map() } });
  await lock.follow(["files"], access);
  expect(accepted.map(({ id }) => id)).toEqual(["files"]);
  expect(await look()).toMatchObject([
    {
      severity: "warning",
      message: expect.stringContaining("was not in the lockfile yet"),
      hint: expect.stringContaining("as it is"),
    },
  ]);
  expect(await look()).toEqual([]);
  expect(events).toMatchObject([{ handling: "refreshed" }]);
});

test("what one client's own server lists is offered to none, and refused where its script uses it", async () => {
  const config = configOf();
  const { look, lock, lockfile } = await setUp({ ...REVIEWED, config });
  const own = {
    ...access,
    client: "ada",
    ownValues: new Map([["files", { headers: { Authorization: "Bearer ${ADA}" } }]]),
  };
  server.tools = [CHANGED];
  const manifest = {
    tools: [{ serverId: "files", toolName: "read", exportName: "read", integrity: "sha256-x" as const }],
  };
  expect(await look({ kind: "tool", manifest }, ["files"], own)).toMatchObject([
    { severity: "error", code: "LOCK_DRIFT" },
  ]);
  expect(lock.current()).toBe(lockfile);
  // Nor does one that is as it was locked end what the others are offered.
  await look();
  expect(lock.current()).not.toBe(lockfile);
  server.tools = [READ];
  server.nowMs += 1000;
  expect(await look({ kind: "none" }, ["files"], own)).toEqual([]);
  expect(lock.current()).not.toBe(lockfile);
});

test("a changed tool is not called by a run that was bound before, also where it could not be offered", async () => {
  const emitPackage = () => Promise.reject(new Error("disk full"));
  const { look, lock, lockfile } = await setUp({ ...REVIEWED, emitPackage });
  server.tools = [CHANGED, WRITE];
  await look();
  const manifest = {
    tools: ["read"].map((toolName) => ({
      serverId: "files",
      toolName,
      exportName: toolName,
      integrity: integrityOf(lockfile, toolName),
    })),
  };
  const asked: string[] = [];
  const run = runOf({ lockfile, manifest, request: { access }, seen: lock.seen(["files"], access) });
  const askAboutChange = async (_: string, name: string) => asked.push(name) === 0;
  const refuses = guardConnections({ lock, drift: "review", audience: "person", askAboutChange }, run);
  await expect((await refuses("files")).callTool("read", {})).rejects.toThrow(
    '"read" of "files" is not as it was locked',
  );
  expect(asked).toEqual(["read"]);
});
