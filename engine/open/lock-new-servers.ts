import { setTimeout as delay } from "node:timers/promises";
import { findUnlocked } from "../project/config/find-server.ts";
import type { Host } from "../run/host.ts";
import type { HostSettings } from "./host-settings.ts";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Tries the configured servers that have no lock entry, after ever longer pauses and each by itself, until each has one. They did
 * not answer when the others were locked, or were configured since.
 * @param pause waits between two tries
 */
export async function lockNewServers(
  { config, log, note, onLocked }: Pick<HostSettings, "config" | "log" | "note" | "onLocked">,
  host: Pick<Host, "follow" | "lockfile">,
  signal: AbortSignal,
  pause = (milliseconds: number): Promise<void> => delay(milliseconds, undefined, { signal, ref: false }),
): Promise<void> {
  const lockOne = async (serverId: string): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await pause(pauseMs);
      await host.follow([serverId]);
      const server = host.lockfile().servers.get(serverId);
      if (server === undefined) continue;
      (log?.warn ?? note)(
        `The server "${serverId}" answers now and is locked as it is: read its entry in the lockfile.`,
      );
      onLocked?.();
      return;
    }
  };
  // The only way that a try can fail is that it is aborted: what a server does wrong is a finding.
  await Promise.allSettled(findUnlocked(config, host.lockfile()).map(lockOne));
}
