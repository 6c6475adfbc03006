import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";
import type { LiveLockOptions } from "../../runtime/host/lock/live-lock.ts";
import { type DriftGuard, guardConnections } from "../../runtime/host/lock/guard-connections.ts";
import { type Access, ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS, type DriftPolicy } from "../../schemas/config/config-file.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { READ, server, setUp, WRITE } from "./changing-server.ts";
import { type GivenRun, runOf } from "./run-of.ts";

export const OWN = ownAccess(DEFAULTS.policy);
export const CHANGED: WireTool = { ...READ, description: "Reads, and more." };
export const ofFiles = (toolName: string) => ({
  ...{ serverId: "files", toolName, exportName: toolName, integrity: "sha256-x" as const },
});

interface GuardedRun extends Omit<GivenRun, "request"> {
  access?: Access;
  askAboutChange?: DriftGuard["askAboutChange"];
}

/** A run whose script has both tools of a server that was listed when it began. */
export async function beginRun(
  drift: DriftPolicy,
  { access = OWN, askAboutChange = async () => false, ...changes }: GuardedRun = {},
  options: Partial<LiveLockOptions> = {},
) {
  server.tools = [READ, WRITE];
  const { lock, look, events, lockfile } = await setUp({ drift, ...options });
  await look();
  const findings: Diagnostic[] = [];
  const run = runOf({
    ...{ request: { access }, lockfile, manifest: { tools: [ofFiles("read"), ofFiles("write")] } },
    ...{ seen: lock.seen(["files"], OWN), report: (finding) => findings.push(finding) },
    ...changes,
  });
  const guard = guardConnections({ lock, drift, audience: "person", askAboutChange }, run);
  const call = async (name: string): Promise<void> => void (await (await guard("files")).callTool(name, {}));
  return { lock, look, call, findings, events, lockfile };
}

/** The server is another process from now on, with these tools. */
export const restartWith = (...tools: WireTool[]): void => {
  server.tools = tools;
  server.generation = {};
};

export const fails = (kind: ConnectionErrorKind) => (): never => {
  throw new ConnectionError(kind, "no", { serverName: "files", hint: "" });
};
