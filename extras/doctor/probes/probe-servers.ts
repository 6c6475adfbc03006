import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { performance } from "node:perf_hooks";
import { type ConnectionSet, makeConnectionSet } from "../../../runtime/mcp/connection-set.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { ProjectUntrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import { snapshotServer } from "../../../runtime/host/lock/snapshot-servers.ts";
import type { Config, ServerConfig } from "../../../schemas/config/config.ts";
import { diffServer, type ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { countParts, type OnProgress } from "../../../schemas/progress.ts";

/** What became of one server. */
export type ServerFacts = { id: string; transport: string } & (
  | { ok: false; failure: string; hint: string }
  | {
      ok: true;
      /** Until the handshake was through. */
      startMs: number;
      /** For the whole list of tools. */
      listMs: number;
      live: LockedServer;
      /** How many entries of the tool list cannot be used. */
      dropped: number;
      /** Absent where there is no drift, or no lock entry to compare with. */
      change?: ServerChange | undefined;
      isLocked: boolean;
    }
);

export interface ServerProbeOptions {
  config: Config;
  servers: readonly ServerConfig[];
  lockfile: Lockfile | undefined;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** Starts or reaches the servers, all at once and each within its own time limit, lists their tools and ends them. */
export async function probeServers(options: ServerProbeOptions): Promise<ServerFacts[]> {
  const { config, servers, lockfile, onProgress, signal } = options;
  const connections = makeConnectionSet(config, { lockfile });
  const stop = (): void => void connections.close();
  signal.addEventListener("abort", stop, { once: true });
  const finish = countParts(
    servers.map(({ id }) => id),
    onProgress,
  );
  try {
    return await Promise.all(
      servers.map(async (server) => {
        const facts = await probeServer(server, { connections, config, lockfile });
        finish(server.id);
        return facts;
      }),
    );
  } finally {
    signal.removeEventListener("abort", stop);
    await connections.close();
  }
}

interface Project {
  connections: ConnectionSet;
  config: Config;
  lockfile: Lockfile | undefined;
}

const UNTRUSTED = {
  failure: "not started: this account does not trust the project",
  hint: "Review it with `codemode trust --list`, then run `codemode trust` once.",
};

async function probeServer(server: ServerConfig, { connections, config, lockfile }: Project): Promise<ServerFacts> {
  const { id } = server;
  const { transport } = server.source;
  try {
    const startedAt = performance.now();
    const connection = await connections.get(id);
    const readyAt = performance.now();
    const { server: live, problems } = await snapshotServer(server, connection, config);
    const listedAt = performance.now();
    const locked = lockfile?.servers.get(id);
    const change = locked === undefined ? undefined : diffServer(id, locked, live);
    return {
      id,
      transport,
      ok: true,
      startMs: readyAt - startedAt,
      listMs: listedAt - readyAt,
      live,
      dropped: problems.length,
      ...withoutUndefined({ change }),
      isLocked: locked !== undefined,
    };
  } catch (error) {
    // Its own words list all that the project starts, once for each server.
    if (error instanceof ProjectUntrusted) return { id, transport, ok: false, ...UNTRUSTED };
    // Both are free of values: connections mask them, and the mistakes of users never have any.
    if (!(error instanceof ConnectionError || error instanceof CodemodeError)) throw error;
    return { id, transport, ok: false, failure: error.message, hint: error.hint };
  }
}
