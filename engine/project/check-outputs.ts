import { nearestName } from "@codemode/runtime/nearest-name";
import type { Config } from "../../schemas/config/config.ts";
import { outputUnknown } from "../../schemas/errors.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";

/** Refuses an output schema for a tool that none of the servers has. Only servers that were just looked at can tell. */
export function assertKnownOutputs({ outputs, servers }: Config, looked: readonly LockedServer[]): void {
  const configured = new Set(servers.map(({ id }) => id));
  const lookedIds = new Set(looked.map(({ id }) => id));
  const known = looked.flatMap(({ id, tools }) => tools.map((tool) => `${id}/${tool.name}`));
  for (const name of outputs.keys()) {
    const serverId = name.slice(0, name.indexOf("/"));
    if (configured.has(serverId) && !lookedIds.has(serverId)) continue;
    if (!known.includes(name)) throw outputUnknown(name, nearestName(name, known));
  }
}
