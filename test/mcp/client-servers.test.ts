import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { toServerDiagnostic, toToolError } from "../../runtime/host/connection-tool-error.ts";
import { type ConnectionSet, makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { watchIdleness } from "../../runtime/mcp/own-connections.ts";
import { replaceValues } from "../../runtime/mcp/client-server.ts";
import { listStarts } from "../../runtime/mcp/trust/gated-settings.ts";
import { type Access, accessOf } from "../../schemas/access/access.ts";
import type { ServeEntry, ServerEntry } from "../../schemas/config/config-file.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { startTenantServer } from "../servers/tenant-server.mjs";

const TOKENS = {
  ALICE: "token-of-alice-2f8a61c0b7",
  BOB: "token-of-bob-93b1d4e8a255",
  SHARED: "token-of-shared-7c0d19e3",
};
const SECRETS = Object.values(TOKENS);

const open: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

interface Tenants {
  set: ConnectionSet;
  /** All but the clients have the shared connection. */
  accessOf(client: string): Access;
  owner(client: string): Promise<unknown>;
  /** The processes that were started, in order. */
  pids(): number[];
}

async function makeTenants(entry: Partial<ServerEntry>, serve: Partial<ServeEntry> = {}): Promise<Tenants> {
  const isRemote = entry.url !== undefined;
  const file = join(await mkdtemp(join(tmpdir(), "codemode-test-")), "seen");
  const program = { command: process.execPath, args: [resolve("test/servers/tenant-server.mjs"), file] };
  const shared = isRemote ? { headers: { authorization: "Bearer ${SHARED}" } } : { env: { TENANT_TOKEN: "${SHARED}" } };
  const own = (name: string) =>
    isRemote ? { headers: { Authorization: `Bearer \${${name}}` } } : { env: { TENANT_TOKEN: `\${${name}}` } };
  const clients = {
    alice: { token: "a", servers: { tenant: own("ALICE") } },
    bob: { token: "b", servers: { tenant: own("BOB"), "*": {} } },
    carol: { token: "c", servers: ["*"] },
  };
  const config = toConfig(
    { mcpServers: { tenant: { ...(isRemote ? {} : program), ...shared, ...entry } }, serve: { clients, ...serve } },
    "codemode.config.json",
    process.cwd(),
  );
  const set = makeConnectionSet({ ...config, isTrusted: true }, { env: { ...process.env, ...TOKENS } });
  open.push(() => set.close());
  const access = (name: string): Access => {
    const client = config.serve.clients.find((each) => each.name === name);
    return accessOf({ kind: "http", ...(client && { client }) }, config);
  };
  return {
    set,
    accessOf: access,
    owner: async (name) => (await (await set.get("tenant", access(name))).callTool("whoami", {}))["structuredContent"],
    pids: () =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => Number.parseInt(line, 10)),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a client with values of its own has a server of its own, and all others share one", async () => {
  const { owner, set, accessOf: access, pids } = await makeTenants({});
  const callers = ["alice", "bob", "carol", "another"];
  const owners = await Promise.all([...callers, ...callers].map(owner));
  expect(owners.slice(0, 4)).toEqual([{ owner: "alice" }, { owner: "bob" }, { owner: "shared" }, { owner: "shared" }]);
  expect(owners.slice(4)).toEqual(owners.slice(0, 4));
  expect(pids()).toHaveLength(3);
  expect(await set.get("tenant", access("carol"))).toBe(await set.get("tenant"));
  expect(await set.get("tenant", access("alice"))).not.toBe(await set.get("tenant", access("bob")));
});

test("an unused server ends, of one client or shared, and the next use starts another", async () => {
  const { owner, pids } = await makeTenants({ idleMs: 1000 });
  await Promise.all(["alice", "carol"].map(owner));
  const [first, second] = pids() as [number, number];
  await vi.waitFor(() => expect([first, second].filter(isAlive)).toEqual([]), { timeout: 5000 });
  expect(await owner("carol")).toEqual({ owner: "shared" });
  expect(await owner("alice")).toEqual({ owner: "alice" });
  expect(pids()).toHaveLength(4);
});

test("where as many programs run as may run the next client learns that, and gets no other's", async () => {
  const { owner, set, accessOf: access, pids } = await makeTenants({}, { maxServerProcesses: 1 });
  expect(await owner("alice")).toEqual({ owner: "alice" });
  const refused = await set.get("tenant", access("bob")).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "SERVER_LIMIT", message: expect.stringContaining("(1)") as string });
  expect(toServerDiagnostic(refused, "tenant", "agent")).toMatchObject({
    code: "SERVER_UNAVAILABLE",
    message: 'The server "tenant" was not started: as many servers of single clients run as may run at once.',
    hint: "Try again later: unused servers end after some minutes.",
  });
  const call = { serverId: "tenant", toolName: "whoami", input: {} };
  expect(toToolError(refused, call)).toMatchObject({ hint: expect.stringContaining("maxServerProcesses") as string });
  // The shared one is not counted, and the place of one that has crashed is free.
  expect(await owner("carol")).toEqual({ owner: "shared" });
  await (await set.get("tenant", access("alice"))).callTool("crash", {}).catch(() => undefined);
  expect(await owner("bob")).toEqual({ owner: "bob" });
  expect(pids()).toHaveLength(3);
});

test.each(["program", "remote server"])(
  "a %s that mixes its callers up gives none the credentials of another",
  async (kind) => {
    const remote = kind === "program" ? undefined : await startTenantServer();
    if (remote !== undefined) open.push(remote.close);
    const { set, accessOf: access, owner } = await makeTenants(remote === undefined ? {} : { url: remote.url });
    await Promise.all(["alice", "bob", "carol"].map(owner));
    if (remote !== undefined) expect(remote.seen.toSorted()).toEqual(SECRETS.toSorted());
    for (const name of ["alice", "bob", "carol"]) {
      const connection = await set.get("tenant", access(name));
      for (const tool of ["leak_text", "leak_data", "leak_failure", ...(remote === undefined ? [] : ["leak_error"])]) {
        const leavesText = tool === "leak_data";
        const answer = await connection.callTool(tool, {}, { leavesText }).catch((error: unknown) => error);
        const said = `${String(answer)} ${JSON.stringify(answer)}`;
        expect(said).toContain("[redacted: ");
        for (const secret of SECRETS) expect(said, `${tool} for ${name}`).not.toContain(secret.slice(0, 16));
      }
    }
  },
);

test("values of a client take the place of the server's, in any case of a header's name", () => {
  const source = {
    transport: "http",
    url: "https://a.example",
    headers: new Map([
      ["AUTHORIZATION", "a"],
      ["x", "1"],
    ]),
  } as const;
  expect(replaceValues(source, { headers: { Authorization: "b" } })).toMatchObject({
    headers: new Map([
      ["x", "1"],
      ["Authorization", "b"],
    ]),
  });
});

test("a server with the values of a client needs approval of its own: a variable may decide what runs", () => {
  const clients = { alice: { token: "a", servers: { local: { env: { NODE_OPTIONS: "--import evil.mjs" } } } } };
  const config = toConfig({ mcpServers: { local: { command: "node" } }, serve: { clients } }, "c.json", "/project");
  const [shared, own] = listStarts(config);
  expect(own?.name).toBe("local for alice");
  expect(own?.digest).not.toBe(shared?.digest);
});

test("idle time begins when the last use has ended", () => {
  vi.useFakeTimers();
  const onIdle = vi.fn();
  const watch = watchIdleness(1000, onIdle);
  const [endFirst, endSecond] = [watch.use(), watch.use()];
  endFirst();
  endFirst();
  vi.advanceTimersByTime(5000);
  expect(onIdle).not.toHaveBeenCalled();
  endSecond();
  vi.advanceTimersByTime(999);
  watch.use()();
  vi.advanceTimersByTime(999);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
