import { expect, test, vi } from "vitest";
import { lockNewServers } from "../../engine/open/lock-new-servers.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";

test("a server that does not start is tried again after ever longer pauses, until it is locked", async () => {
  const servers = new Map<string, LockedServer>();
  const tries: number[] = [];
  const warnings: string[] = [];
  let seconds = 0;
  const host = {
    lockfile: () => ({ servers }),
    async follow(): Promise<void> {
      tries.push(seconds);
      if (tries.length === 11) servers.set("late", {} as LockedServer);
    },
  };
  const config = { servers: [{ id: "late" }] } as unknown as Config;
  const locked = vi.fn();
  const note = (text: string): void => void warnings.push(text);
  const pause = async (milliseconds: number): Promise<void> => void (seconds += milliseconds / 1000);
  await lockNewServers({ config, note, onLocked: locked }, host, new AbortController().signal, pause);
  expect(tries).toEqual([2, 6, 14, 30, 62, 126, 254, 510, 810, 1110, 1410]);
  expect([locked.mock.calls.length, warnings.length]).toEqual([1, 1]);
});
