import { type Diagnostic } from "../../schemas/answer.ts";
import { type Manifest } from "../../schemas/bundle.ts";
import { type Config } from "../../schemas/config.ts";
import { diffServer, type ServerChange } from "../../schemas/diff-lockfile.ts";
import { type Lockfile } from "../../schemas/lockfile.ts";
import { toServerDiagnostic } from "./connection-tool-error.ts";
import { type ConnectionSet } from "./connection-set.ts";
import { snapshotServer } from "./snapshot-servers.ts";

/** What to compare, and whether drift refuses the run. */
export interface DriftCheck {
  config: Config;
  lockfile: Lockfile;
  connections: ConnectionSet;
  manifest: Manifest;
  frozen: boolean;
}

/**
 * Connects the servers that a bundle uses and compares each with the lockfile.
 * Drift is an error when frozen and a warning otherwise; a server that cannot be reached is a warning,
 * because the script may do without it: its calls fail where they are made.
 */
export async function checkDrift(check: DriftCheck): Promise<Diagnostic[]> {
  const serverIds = [...new Set(check.manifest.tools.map(({ serverId }) => serverId))];
  const findings = await Promise.all(serverIds.map((serverId) => checkServer(serverId, check)));
  return findings.flat();
}

async function checkServer(serverId: string, check: DriftCheck): Promise<Diagnostic[]> {
  const { config, connections, lockfile, frozen } = check;
  const server = config.servers.find(({ id }) => id === serverId);
  const severity = frozen ? "error" : "warning";
  if (server === undefined) {
    const message = `The server "${serverId}" is in the lockfile but not in the configuration.`;
    return [{ severity, code: "LOCK_DRIFT", message, hint: "Run `codemode lock`, or add the server again." }];
  }
  try {
    const change = diffServer(serverId, lockfile.servers.get(serverId), await snapshotServer(server, connections));
    if (change === undefined) return [];
    return [
      {
        severity,
        code: "LOCK_DRIFT",
        message: describe(change),
        hint: "Review it with `codemode lock --check`, accept it with `codemode lock`.",
      },
    ];
  } catch (error) {
    return [{ ...toServerDiagnostic(error, serverId), severity }];
  }
}

function describe(change: ServerChange): string {
  const parts = [
    [change.toolsAdded, "added"],
    [change.toolsRemoved, "removed"],
    [change.toolsChanged, "changed"],
  ] as const;
  const tools = parts.filter(([names]) => names.length > 0).map(([names, what]) => `${what}: ${names.join(", ")}`);
  return `The server "${change.serverId}" differs from the lockfile (${tools.join("; ") || "its own description changed"}).`;
}
