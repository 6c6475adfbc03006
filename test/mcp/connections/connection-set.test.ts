import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toConfig } from "../../../schemas/config/to-config.ts";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { makeConnectionSet, type ConnectionSet } from "../../../runtime/mcp/connection-set.ts";
import { makeRestartDelay } from "@codemode/runtime/connections/restart-delay";
import { serve } from "./http-servers.ts";
import { contentOf, failureOf, misbehaving, SERVERS_FOLDER, startedPids } from "./misbehaving.ts";

const open: ConnectionSet[] = [];
afterEach(() => Promise.all(open.splice(0).map((set) => set.close())));

function connectionSet(entry: ServerEntry): ConnectionSet {
  const set = makeConnectionSet(toConfig({ mcpServers: { one: entry } }, "config.json", SERVERS_FOLDER));
  open.push(set);
  return set;
}

function program(...habits: string[]): ServerEntry {
  const { env } = misbehaving([]) as { env: Record<string, string> };
  return { command: process.execPath, args: [join(SERVERS_FOLDER, "misbehaving-server.mjs"), ...habits], env };
}

describe("a set of connections", () => {
  it("starts a server on first use, and once however many want it", async () => {
    const set = connectionSet(program());
    expect(startedPids()).toEqual([]);
    const connections = await Promise.all(Array.from({ length: 5 }, () => set.get("one")));
    expect(new Set(connections).size).toBe(1);
    expect(startedPids()).toHaveLength(1);
  });

  it("starts it again on the next use after any end, once", async () => {
    const set = connectionSet(program());
    for (const [before, tool] of ["crash", "kill-itself", "close-stdout"].entries()) {
      const connections = await Promise.all(Array.from({ length: 5 }, () => set.get("one")));
      expect(startedPids(), tool).toHaveLength(before + 1);
      expect(contentOf(await (await set.get("one")).callTool("echo", { before }))).toEqual({ before });
      await failureOf((connections[0] as Awaited<ReturnType<ConnectionSet["get"]>>).callTool(tool, {}));
    }
    await set.get("one");
    expect(startedPids()).toHaveLength(4);
  });

  it("does not start it again because of a time-out or a late answer", async () => {
    const set = connectionSet(program());
    const connection = await set.get("one");
    await failureOf(connection.callTool("hang", {}, { timeoutMs: 50 }));
    expect(await set.get("one")).toBe(connection);
  });

  it("tries a server that did not start again on the next use", async () => {
    const set = connectionSet(program("exit-at-start"));
    for (const rounds of [1, 2]) {
      expect((await failureOf(set.get("one"))).kind).toBe("start-failed");
      expect(startedPids().length).toBeGreaterThanOrEqual(rounds);
    }
  });

  it("ends a start that is under way when it is closed", async () => {
    const set = connectionSet(program("hang-at-initialize"));
    const starting = failureOf(set.get("one"));
    await set.close();
    expect((await starting).kind).toBe("cancelled");
    expect((await failureOf(set.get("one"))).kind).toBe("cancelled");
  });

  it("connects the older HTTP transport again when its stream broke", async () => {
    const server = await serve("old-http");
    const set = connectionSet({ type: "sse", url: server.url });
    await failureOf((await set.get("one")).callTool("reset", {}));
    expect(contentOf(await (await set.get("one")).callTool("echo", { a: 1 }))).toEqual({ a: 1 });
    await set.close();
  });
});

describe("the pause before a server is started again", () => {
  it("grows as long as the server does not stay up, to a limit, for each server by itself", () => {
    let now = 0;
    const delays = makeRestartDelay(() => now);
    const pauses = Array.from({ length: 9 }, () => {
      const pause = delays.next("one");
      delays.noteFailure("one");
      return pause;
    });
    expect(pauses).toEqual([0, 0, 250, 500, 1_000, 2_000, 5_000, 5_000, 5_000]);
    expect(delays.next("two")).toBe(0);
    delays.noteStart("one");
    now += 59_999;
    delays.noteEnd("one");
    expect(delays.next("one")).toBe(5_000);
    delays.noteStart("one");
    now += 60_000;
    delays.noteEnd("one");
    expect(delays.next("one")).toBe(0);
  });
});
