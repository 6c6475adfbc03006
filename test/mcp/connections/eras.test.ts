import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { connect, contentOf, failureOf, misbehaving, nodeServer, SERVERS_FOLDER, startedPids } from "./misbehaving.ts";

const MODERN = join(SERVERS_FOLDER, "modern-server.mjs");

/** What an old server was sent before its first call. */
async function receivedBy(connection: Awaited<ReturnType<typeof connect>>): Promise<unknown[]> {
  const received = contentOf(await connection.callTool("received", {})) as JsonObject[];
  return received.map(({ method }) => method).slice(0, -1);
}

describe("the unknown era of a server over stdio", () => {
  it("is asked for first; an old server says no", async () => {
    const connection = await connect(misbehaving([]));
    expect(await receivedBy(connection)).toEqual(["server/discover", "initialize", "notifications/initialized"]);
    expect((await connection.snapshot()).era).toBe("legacy");
  });

  it("is old where the server keeps silent, in the same process", async () => {
    const connection = await connect(misbehaving(["silent-at-discover"]));
    expect((await connection.snapshot()).era).toBe("legacy");
    expect(startedPids()).toHaveLength(1);
  });

  it("is old where the server ends at the question; then it is started again without one", async () => {
    const connection = await connect(misbehaving(["exit-at-discover"]));
    expect(await receivedBy(connection)).toEqual(["initialize", "notifications/initialized"]);
    expect(startedPids()).toHaveLength(2);
  });

  it.each([
    ["both", []],
    ["the modern one alone, after a slow start", ["slow-start", "modern-only"]],
  ])("is modern where the server speaks %s", async (_, habits) => {
    const connection = await connect(nodeServer(MODERN, habits));
    expect(await connection.snapshot()).toMatchObject({ era: "modern", protocolVersion: "2026-07-28" });
    expect(contentOf(await connection.callTool("hello", {}))).toBe("hello");
  });
});

describe("the era of a server over stdio that the lockfile has", () => {
  it("is not asked for", async () => {
    const connection = await connect(misbehaving([], { era: "legacy" }));
    expect(await receivedBy(connection)).toEqual(["initialize", "notifications/initialized"]);
  });

  it("may be over: a server that is modern now is asked again", async () => {
    const connection = await connect(nodeServer(MODERN, ["modern-only"], { era: "legacy" }));
    expect((await connection.snapshot()).era).toBe("modern");
  });

  it("may be over: a server that is old now is spoken to as such", async () => {
    const connection = await connect(misbehaving([], { era: "modern" }));
    expect((await connection.snapshot()).era).toBe("legacy");
    expect(startedPids()).toHaveLength(1);
  });

  it("may be over: a server that only keeps silent costs the time of one start", async () => {
    const connection = await connect(misbehaving(["silent-at-discover"], { era: "modern", timeoutMs: 2_000 }));
    expect((await connection.snapshot()).era).toBe("legacy");
  });

  it("changes nothing about a refusal that has other reasons", async () => {
    const failure = await failureOf(connect(misbehaving(["refuse-initialize"], { era: "legacy" })));
    expect(failure).toMatchObject({ kind: "rpc-error", code: -32000, message: expect.stringContaining("not today") });
  });
});
