import { beforeEach, describe, expect, test } from "vitest";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { Refusal } from "../../runtime/host/lock/drift-verdict.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { configOf, READ, resetServer, server, setUp, WRITE } from "./changing-server.ts";

beforeEach(resetServer);

const manifestOf = (...names: string[]): Refusal => ({
  kind: "tool",
  manifest: {
    tools: names.map((toolName) => ({
      ...{ serverId: "files", toolName, exportName: toolName, integrity: "sha256-x" as const },
    })),
  },
});

describe("a look at a server", () => {
  test("that is as it was locked finds nothing, and serves until it is too old", async () => {
    const { look, events } = await setUp();
    for (const [passedMs, seen] of [
      [0, 1],
      [99, 1],
      [1, 2],
      [50, 2],
    ] as const) {
      server.nowMs += passedMs;
      expect(await look()).toEqual([]);
      expect(server.lists).toBe(seen);
    }
    expect(events).toEqual([]);
  });

  test("is shared by those who look together", async () => {
    const { look } = await setUp();
    await Promise.all([look(), look(), look()]);
    expect(server.lists).toBe(1);
    server.nowMs += 1000;
    await look();
    expect(server.lists).toBe(2);
  });

  test.each<[string, () => void]>([
    ["it announces a change", () => server.listeners.forEach((listener) => listener())],
    ["it was started again", () => (server.generation = {})],
  ])("is made again when %s", async (_name, change) => {
    const { look } = await setUp();
    await look();
    change();
    await look();
    await look();
    expect(server.lists).toBe(2);
  });

  test("that was overtaken by an announcement counts no longer", async () => {
    const { look } = await setUp();
    await look();
    server.nowMs += 1000;
    server.onList = () => server.listeners.forEach((listener) => listener());
    await look();
    server.onList = () => {};
    await look();
    expect(server.lists).toBe(3);
  });

  test("that failed is none: the next one asks again", async () => {
    const { look, lock } = await setUp();
    await look();
    expect([...lock.seen(["files", "none"], {}).keys()]).toEqual(["files"]);
    server.nowMs += 1000;
    server.onList = () => {
      throw new ConnectionError("timeout", "no", { serverName: "files", hint: "" });
    };
    expect(await look()).toMatchObject([{ code: "SERVER_UNAVAILABLE", severity: "warning" }]);
    expect(await look({ kind: "server" })).toMatchObject([{ code: "SERVER_UNAVAILABLE", severity: "error" }]);
    expect(lock.seen(["files"], {}).size).toBe(0);
    expect(server.lists).toBe(3);
  });

  test("listens to a connection once", async () => {
    const { look } = await setUp();
    for (let count = 0; count < 3; count += 1) {
      server.nowMs += 1000;
      await look();
    }
    expect(server.listeners).toHaveLength(1);
  });
});

describe("a server that differs", () => {
  test.each<[string, WireTool[], Refusal, "error" | "warning", RegExp]>([
    ["is named", [READ, WRITE], { kind: "none" }, "warning", /tools added: write/],
    ["stops every run where that is asked for", [READ, WRITE], { kind: "server" }, "error", /tools added: write/],
    [
      "stops a script whose tool it has changed",
      [{ ...READ, description: "x" }],
      manifestOf("read"),
      "error",
      /tools changed: read/,
    ],
    ["stops a script whose tool it has taken away", [WRITE], manifestOf("read"), "error", /removed: read/],
    ["stops no script whose tools it has kept", [READ, WRITE], manifestOf("read"), "warning", /added: write/],
    [
      "stops no script of other tools",
      [{ ...READ, description: "x" }],
      manifestOf("write"),
      "warning",
      /changed: read/,
    ],
  ])("%s", async (_name, now, refusal, severity, message) => {
    const { look, events, lock, lockfile, accepted } = await setUp();
    server.tools = now;
    expect(await look(refusal)).toEqual([
      {
        severity,
        code: "LOCK_DRIFT",
        message: expect.stringMatching(message),
        hint: expect.stringContaining("codemode diff"),
      },
    ]);
    expect(events).toMatchObject([
      { kind: "drifted", serverId: "files", handling: severity === "error" ? "refused" : "warned" },
    ]);
    expect({ current: lock.current(), accepted }).toEqual({ current: lockfile, accepted: [] });
  });

  test("is reported to observers once for each state and handling", async () => {
    const { look, events } = await setUp();
    server.tools = [READ, WRITE];
    for (const refusal of [{ kind: "none" }, { kind: "none" }, { kind: "server" }, { kind: "none" }] as const)
      await look(refusal);
    server.tools = [WRITE];
    server.nowMs += 1000;
    await look();
    expect(events.map((event) => (event as { handling: string }).handling)).toEqual([
      "warned",
      "refused",
      "warned",
      "warned",
    ]);
  });

  test("is followed where the policy says so, on disk too", async () => {
    const { look, events, lock, lockfile, accepted } = await setUp({ drift: "refresh" });
    server.tools = [READ, WRITE];
    expect(await look()).toEqual([
      expect.objectContaining({ severity: "warning", hint: expect.stringContaining("without a review") }),
    ]);
    expect(
      lock
        .current()
        .servers.get("files")
        ?.tools.map(({ name }) => name),
    ).toEqual(["read", "write"]);
    expect(lock.current()).not.toBe(lockfile);
    expect(accepted.map(({ id }) => id)).toEqual(["files"]);
    expect(events).toMatchObject([{ handling: "refreshed", toolsAdded: ["write"] }]);
    expect(await look()).toEqual([]);
  });

  test("is not followed where a run is stopped by anything of it that its script uses", async () => {
    const { look, accepted } = await setUp({ drift: "refresh" });
    server.tools = [READ, WRITE];
    expect(await look(manifestOf("read"))).toMatchObject([{ severity: "warning" }]);
    expect(accepted).toEqual([]);
  });

  test("is not followed where that would loosen the policy", async () => {
    const { look, lock, lockfile } = await setUp({ drift: "refresh", config: configOf({ allow: ["@readOnly"] }) });
    server.tools = [{ ...READ, annotations: { readOnlyHint: true } }];
    expect(await look()).toMatchObject([
      { severity: "warning", hint: expect.stringContaining("allow more than before") },
    ]);
    expect(lock.current()).toBe(lockfile);
  });

  test("is not followed when a removed tool comes back with gentler claims", async () => {
    server.tools = [READ, WRITE];
    const { look, lock } = await setUp({ drift: "refresh", config: configOf({ allow: ["@readOnly"] }) });
    server.tools = [READ];
    expect(await look()).toMatchObject([{ hint: expect.stringContaining("without a review") }]);
    server.nowMs += 1000;
    server.tools = [READ, { ...WRITE, annotations: { readOnlyHint: true } }];
    expect(await look()).toMatchObject([
      { severity: "warning", hint: expect.stringContaining("allow more than before") },
    ]);
    expect(lock.current().servers.get("files")?.tools).toMatchObject([{ name: "read" }]);
  });

  test("is not followed any more when it has removed more tools than are remembered", async () => {
    const many = (prefix: string) => Array.from({ length: 1001 }, (_, index) => ({ name: `${prefix}${index}` }));
    server.tools = many("first");
    const { look, lock } = await setUp({ drift: "refresh" });
    server.tools = many("second");
    expect(await look()).toMatchObject([{ hint: expect.stringContaining("without a review") }]);
    server.nowMs += 1000;
    server.tools = [READ];
    expect(await look()).toMatchObject([{ severity: "warning", hint: expect.stringContaining("codemode lock") }]);
    expect(lock.current().servers.get("files")?.tools).toHaveLength(1001);
  });

  test("is not followed where the lockfile cannot be written", async () => {
    const accept = async () => {
      throw new Error("disk full");
    };
    const { look, lock, lockfile } = await setUp({ drift: "refresh", accept });
    server.tools = [READ, WRITE];
    expect(await look()).toMatchObject([
      { severity: "warning", hint: expect.stringContaining("could not be written") },
    ]);
    expect(lock.current()).toBe(lockfile);
  });

  test("is named for its reader, and not for one who sees nothing of the change", async () => {
    const { look, events } = await setUp({ audience: "agent", onEvent: undefined });
    server.tools = [READ, WRITE];
    const [finding] = await look();
    expect(finding?.hint).not.toContain("codemode ");
    const blind = { ...ownAccess(DEFAULTS.policy), client: "bot", servers: [] };
    expect(await look({ kind: "none" }, ["files"], blind)).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe("a server that is not in both", () => {
  test("is not started where it could not be used afterwards", async () => {
    const { look } = await setUp({ lockfile: { servers: new Map() } });
    expect(await look()).toMatchObject([
      { severity: "warning", message: expect.stringContaining("not in the lockfile") },
    ]);
    expect(await look({ kind: "server" })).toMatchObject([{ severity: "error" }]);
    expect(server.lists).toBe(0);
  });

  test("is taken in where the policy follows", async () => {
    const { look, lock } = await setUp({ lockfile: { servers: new Map() }, drift: "refresh" });
    expect(await look({ kind: "server" })).toMatchObject([
      { severity: "error", message: expect.stringContaining("not in the lockfile") },
    ]);
    expect(await look()).toMatchObject([
      { severity: "warning", message: expect.stringContaining("was not in the lockfile yet") },
    ]);
    expect([...lock.current().servers.keys()]).toEqual(["files"]);
  });

  test("is named where it is locked and not configured", async () => {
    const { look } = await setUp({ config: configOf({}, []) });
    expect(await look()).toMatchObject([
      { severity: "warning", message: expect.stringContaining("not in the configuration") },
    ]);
    expect(await look({ kind: "server" })).toMatchObject([{ severity: "error" }]);
  });
});
