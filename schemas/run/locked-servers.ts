import { toJsonObject } from "../json/json.ts";
import type { Lockfile } from "../lock/lockfile.ts";
import type { Manifest } from "./bundle.ts";
import type { Recording } from "./recording.ts";

/** The servers that a bundle may call, with the integrity that they are locked with. */
export function lockedServers({ tools }: Manifest, { servers }: Lockfile): Recording["servers"] {
  const used = [...new Set(tools.map(({ serverId }) => serverId))].flatMap((id) => servers.get(id) ?? []);
  return toJsonObject(used.map(({ id, integrity }) => [id, integrity])) as Recording["servers"];
}
