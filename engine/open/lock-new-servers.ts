import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../schemas/config/config.ts";
import type { Log } from "../log/log.ts";
import { findUnlocked } from "../project/config/find-server.ts";
import type { Host } from "../run/host.ts";

export interface NewServersOptions {
  config: Config;
  host: Pick<Host, "follow" | "lockfile">;
  log: Pick<Log, "warn">;
  /** Called after a server has got its lock entry. */
  onLocked: (() => void) | undefined;
  signal: AbortSignal;
  /** Waits between two tries. */
  pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Tries the configured servers that have no lock entry, after ever longer pauses and each by itself, until each has one. They did
 * not answer when the others were locked, or were configured since.
 */
export async function lockNewServers(options: NewServersOptions): Promise<void> {
  const { config, host, log, onLocked, signal } = options;
  const pause = options.pause ?? ((milliseconds) => delay(milliseconds, undefined, { signal, ref: false }));
  const lockOne = async (serverId: string): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await pause(pauseMs);
      await host.follow([serverId]);
      const server = host.lockfile().servers.get(serverId);
      if (server === undefined) continue;
      log.warn(`The server "${serverId}" answers now and is locked as it is: read its entry in the lockfile.`);
      onLocked?.();
      return;
    }
  };
  // The only way that a try can fail is that it is aborted: what a server does wrong is a finding.
  await Promise.allSettled(findUnlocked(config, host.lockfile()).map(lockOne));
}
