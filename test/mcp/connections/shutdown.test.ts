import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { isAlive } from "../../bindings/is-alive.ts";
import { connect, failureOf, misbehaving, startedPids } from "./misbehaving.ts";

const STRIP_TYPES = new URL("../../strip-types.mjs", import.meta.url).href;
const HOST_PROGRAM = fileURLToPath(new URL("host-program.mjs", import.meta.url));

/** Less than the guardian's second of grace: here the host itself has to see to it. */
const SOON = { timeout: 700 };

/** A server that does all it can to stay: like its child, it ignores the end of its stdin and SIGTERM. */
const STUBBORN = ["ignore-shutdown", "grandchild"];

describe("closing a connection", () => {
  it("lets a polite server leave by itself and takes its child along", async () => {
    const connection = await connect(misbehaving(["grandchild"]));
    expect(startedPids().filter(isAlive)).toHaveLength(2);
    await connection.close();
    expect(startedPids().filter(isAlive)).toEqual([]);
  });

  it("ends a server that ignores SIGTERM, with its child, and fails what is in flight at once", async () => {
    const connection = await connect(misbehaving(STUBBORN));
    const inFlight = failureOf(connection.callTool("hang", {}));
    const closing = connection.close();
    expect(await inFlight).toMatchObject({ kind: "closed", message: 'server "test" has been disconnected' });
    expect(startedPids().filter(isAlive)).toHaveLength(2);
    await closing;
    expect(startedPids().filter(isAlive)).toEqual([]);
  });

  it("may be done twice, and for a server that has ended already", async () => {
    const connection = await connect(misbehaving([]));
    await failureOf(connection.callTool("crash", {}));
    await Promise.all([connection.close(), connection.close()]);
    expect((await failureOf(connection.callTool("echo", {}))).kind).toBe("closed");
  });

  it("leaves no listener behind in this process", async () => {
    const count = () => ["exit", "SIGINT", "SIGTERM"].map((event) => process.listenerCount(event));
    const before = count();
    const connections = await Promise.all([connect(misbehaving([])), connect(misbehaving([]))]);
    await Promise.all(connections.map((connection) => connection.close()));
    expect(count()).toEqual(before);
  });

  it("takes along the child of a server that crashes", async () => {
    const connection = await connect(misbehaving(["grandchild"]));
    await failureOf(connection.callTool("crash", {}));
    await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]));
  });
});

describe("the end of the host", () => {
  it.each([
    ["exit", { code: 0, signal: null }],
    ["throw", { code: 1, signal: null }],
    ["reject", { code: 1, signal: null }],
  ])("leaves no process behind by: %s", async (ending, expected) => {
    const host = await startHost(ending);
    expect(await host.ended).toEqual(expected);
    await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]), SOON);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leaves no process behind by %s", async (signal) => {
    const host = await startHost("wait");
    process.kill(host.pid, signal);
    expect(await host.ended).toEqual({ code: null, signal });
    await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]), SOON);
  });

  it("is left to the program where it listens to the signal itself", async () => {
    const host = await startHost("own-listener");
    process.kill(host.pid, "SIGTERM");
    expect(await host.ended).toEqual({ code: 42, signal: null });
    await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]), SOON);
  });

  it("leaves no process behind even by SIGKILL", async () => {
    const host = await startHost("wait");
    process.kill(host.pid, "SIGKILL");
    await host.ended;
    await vi.waitFor(() => expect(startedPids().filter(isAlive)).toEqual([]), { timeout: 4_000 });
  });
});

/** Runs a host in a process of its own until it is connected to a stubborn server. */
async function startHost(ending: string) {
  const target = JSON.stringify(misbehaving(STUBBORN));
  const host = spawn(process.execPath, ["--import", STRIP_TYPES, HOST_PROGRAM, target, ending], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(host, "exit").then(([code, signal]) => ({ code, signal }));
  await Promise.race([once(host.stdout, "data"), ended]);
  expect(startedPids()).toHaveLength(2);
  return { pid: host.pid as number, ended };
}
