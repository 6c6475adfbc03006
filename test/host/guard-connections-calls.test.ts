import { beforeEach, describe, expect, test } from "vitest";
import type { ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";
import { DriftRefusal } from "../../runtime/host/lock/guard-connections.ts";
import type { DriftPolicy } from "../../schemas/config/config-file.ts";
import { resetServer, server, WRITE } from "./changing-server.ts";
import { beginRun, CHANGED, fails, restartWith } from "./guarded-run.ts";

beforeEach(resetServer);

/** From now on a list is under way until that is said. */
function holdList(): () => void {
  server.nowMs += 1000;
  let end!: () => void;
  const held = new Promise<void>((resolve) => (end = resolve));
  server.onList = () => held;
  return end;
}

describe("a call to a server that is as it was", () => {
  test.each<DriftPolicy>(["review", "refresh", "refuse", "warn"])(
    "goes over the connection of the call before it, without a look for another (%s)",
    async (drift) => {
      const { call, findings } = await beginRun(drift);
      await call("read");
      const { gets, lists } = server;
      await call("write");
      expect({ calls: server.calls, findings }).toEqual({ calls: ["read", "write"], findings: [] });
      expect([server.gets - gets, server.lists - lists]).toEqual([0, 0]);
    },
  );

  test.each<DriftPolicy>(["review", "refresh", "refuse"])(
    "waits for the list that is under way (%s)",
    async (drift) => {
      const { look, call } = await beginRun(drift);
      const list = holdList();
      const looking = look();
      const calling = call("read");
      await expect.poll(() => server.lists).toBe(2);
      expect(server.calls).toEqual([]);
      list();
      await Promise.all([looking, calling]);
      expect([server.calls, server.lists]).toEqual([["read"], 2]);
    },
  );

  test.each([0, 1])(
    "does not wait for the list that is under way where drift is only reported, after %d calls",
    async (earlier) => {
      const { look, call, findings } = await beginRun("warn");
      for (let count = 0; count < earlier; count += 1) await call("read");
      holdList();
      void look();
      await expect.poll(() => server.lists).toBe(2);
      await call("read");
      await call("write");
      expect([server.calls.slice(earlier), server.lists, findings]).toEqual([["read", "write"], 2, []]);
    },
  );

  test.each<[string, () => void]>([
    ["another process", () => restartWith(CHANGED, WRITE)],
    ["another session", () => Object.assign(server, { renewals: 1, tools: [CHANGED, WRITE] })],
  ])("but waits for the look of %s than the first one's, which another run asks for", async (_name, change) => {
    const { look, call, findings } = await beginRun("warn");
    await call("read");
    change();
    const list = holdList();
    void look();
    await expect.poll(() => server.lists).toBe(2);
    const calling = call("read");
    await new Promise((settle) => setImmediate(settle));
    expect(server.calls).toEqual(["read"]);
    list();
    await calling;
    expect(server.calls).toEqual(["read", "read"]);
    expect(findings).toMatchObject([{ severity: "warning", message: expect.stringContaining("changed: read") }]);
  });
});

describe("a call that is lost with its session", () => {
  test("is made again after a new list, a few times", async () => {
    const { call } = await beginRun("refuse");
    server.onCall = () => {
      server.renewals += 1;
      fails("session-lost")();
    };
    await expect(call("read")).rejects.toMatchObject({ kind: "session-lost" });
    expect([server.calls, server.lists]).toEqual([["read", "read", "read"], 3]);
  });

  test("is not made again where the server has changed with it", async () => {
    const { call } = await beginRun("refuse");
    server.onCall = () => {
      restartWith(CHANGED, WRITE);
      fails("session-lost")();
    };
    await expect(call("read")).rejects.toBeInstanceOf(DriftRefusal);
    expect(server.calls).toEqual(["read"]);
  });

  test("with `review`, waits for a person where its tool has changed with it", async () => {
    const { call } = await beginRun("review");
    server.onCall = () => {
      restartWith(CHANGED, WRITE);
      fails("session-lost")();
    };
    await expect(call("read")).rejects.toBeInstanceOf(DriftRefusal);
    expect(server.calls).toEqual(["read"]);
  });

  test.each<ConnectionErrorKind>(["closed", "timeout", "rpc-error"])(
    "is one call where it fails otherwise (%s)",
    async (kind) => {
      const { call } = await beginRun("refuse");
      server.onCall = fails(kind);
      await expect(call("read")).rejects.toMatchObject({ kind });
      expect(server.calls).toEqual(["read"]);
    },
  );
});

describe("a server that cannot be listed in the middle of a run", () => {
  test.each<DriftPolicy>(["review", "refresh", "refuse"])("is not called (%s)", async (drift) => {
    const { call, findings } = await beginRun(drift);
    await call("read");
    server.generation = {};
    server.onList = fails("timeout");
    await expect(call("read")).rejects.toMatchObject({ kind: "timeout" });
    expect([server.calls, findings]).toEqual([["read"], []]);
  });

  test("is called where drift is only reported, and the answer says so once for each of its connections", async () => {
    const { call, findings } = await beginRun("warn");
    await call("read");
    server.onList = fails("timeout");
    for (const generation of [{}, {}]) {
      server.generation = generation;
      await call("read");
      await call("write");
    }
    expect(server.calls).toEqual(["read", "read", "write", "read", "write"]);
    const unavailable = { severity: "warning", code: "SERVER_UNAVAILABLE" };
    expect(findings).toMatchObject([unavailable, unavailable]);
    expect(server.lists).toBe(3);
  });
});
