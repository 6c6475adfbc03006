import { performance } from "node:perf_hooks";
import { type ConnectionSet, makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { findLostFilters, printLost } from "../../engine/project/config/lost-patterns.ts";
import { ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import { snapshotServer } from "../../runtime/host/lock/snapshot-servers.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config, ServerConfig } from "../../schemas/config/config.ts";
import { CHANGE_SEVERITY_NAMES } from "../../schemas/diff/change.ts";
import { diffServer, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { countParts, type OnProgress } from "../../schemas/progress.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import {
  type Finding,
  ok,
  printMilliseconds,
  printSome,
  problem,
  toFinding,
  type FoundState,
  warning,
} from "./doctor-report.ts";

export interface ServerProbe {
  servers: readonly ServerConfig[];
  lockfile: Lockfile | undefined;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** Starts or reaches the servers, all at once and each within its own time limit, lists their tools and ends them. */
export async function lookAtServers(config: Config, probe: ServerProbe): Promise<Finding[]> {
  const { servers, lockfile, onProgress, signal } = probe;
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
        const { verdict, facts } = await lookAtServer(server, connections, config, lockfile).catch(toFailure);
        finish(server.id);
        const { transport } = server.source;
        return toFinding(`server.${server.id}`, server.id, verdict, { transport, ...facts });
      }),
    );
  } finally {
    signal.removeEventListener("abort", stop);
    await connections.close();
  }
}

interface Looked {
  verdict: FoundState;
  facts: JsonObject;
}

function toFailure(error: unknown): Looked {
  const facts = { starts: false };
  // Its own words list all that the project starts, once for each server.
  if (error instanceof ProjectUntrusted) {
    const hint = "Review it with `codemode trust --list`, then run `codemode trust` once.";
    return { verdict: problem("not started: this account does not trust the project", hint), facts };
  }
  // Both are free of values: connections mask them, and the mistakes of users never have any.
  if (!(error instanceof ConnectionError || error instanceof CodemodeError)) throw error;
  return { verdict: problem(error.message, error.hint), facts };
}

async function lookAtServer(
  server: ServerConfig,
  connections: ConnectionSet,
  config: Config,
  lockfile: Lockfile | undefined,
): Promise<Looked> {
  const { id } = server;
  const startedAt = performance.now();
  const connection = await connections.get(id);
  const readyAt = performance.now();
  const {
    server: live,
    problems,
    listed,
  } = await snapshotServer(server, connection, config, lockfile?.servers.get(id));
  const [startMs, listMs] = [readyAt - startedAt, performance.now() - readyAt];
  const locked = lockfile?.servers.get(id);
  const change = locked === undefined ? undefined : diffServer(id, locked, live);
  const { protocolVersion, era } = live;
  const lost = findLostFilters(server, listed, { isFiltered: false });
  const [tools, dropped, isLocked] = [live.tools.length, problems.length, locked !== undefined];
  const found = [
    `ready in ${printMilliseconds(startMs)}`,
    `${countOf(tools, "tool")} in ${printMilliseconds(listMs)}`,
    `MCP ${protocolVersion}`,
    ...(change === undefined ? [] : [printDrift(change)]),
    ...(isLocked ? [] : ["not locked"]),
    ...(dropped === 0 ? [] : [`${dropped} of its list cannot be used`]),
    ...(lost.length === 0 ? [] : [`no tool matches ${printSome(lost.map(printLost))}`]),
  ].join(", ");
  const hint =
    change !== undefined
      ? `\`codemode diff ${id}\` shows what changed; \`codemode lock ${id}\` accepts it.`
      : !isLocked
        ? `Run \`codemode lock ${id}\`.`
        : dropped > 0
          ? `\`codemode lock ${id}\` names them.`
          : lost.length > 0
            ? "Correct the filter, or remove it."
            : undefined;
  const times = { startMs: Math.round(startMs), listMs: Math.round(listMs) };
  const drift = change?.severity ?? "none";
  return {
    verdict: hint === undefined ? ok(found) : warning(found, hint),
    facts: { starts: true, ...times, tools, dropped, protocolVersion, era, drift, isLocked },
  };
}

function printDrift({ severity, toolsAdded, toolsRemoved, toolsChanged }: ServerChange): string {
  const parts = Object.entries({ added: toolsAdded, removed: toolsRemoved, changed: toolsChanged }).flatMap(
    ([what, tools]) => (tools.length === 0 ? [] : [`${tools.length} ${what}`]),
  );
  const tools = parts.length === 0 ? "" : `: tools ${parts.join(", ")}`;
  return `drifted (${CHANGE_SEVERITY_NAMES[severity]})${tools}`;
}
