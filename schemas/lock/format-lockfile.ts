import { sortedJson } from "../json/canonical-json.ts";
import { type JsonObject, toJsonObject, asJson } from "../json/json.ts";
import { LOCKFILE_VERSION, type LockedServer, type Lockfile } from "./lockfile.ts";

const LOCKFILE_SCHEMA = "./node_modules/codemode/schemas/lockfile.schema.json";

/**
 * The text of `codemode.lock.json`: the same servers give the same bytes.
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { formatLockfile, type Lockfile } from "codemode";
 *
 * export const save = (lockfile: Lockfile): Promise<void> => writeFile("codemode.lock.json", formatLockfile(lockfile));
 */
export function formatLockfile(lockfile: Lockfile): string {
  return sortedJson({
    $schema: LOCKFILE_SCHEMA,
    lockfileVersion: LOCKFILE_VERSION,
    servers: toJsonObject([...lockfile.servers].map(([id, server]) => [id, toJson(server)])),
  });
}

/** What is of one process has no place in a file. */
function toJson({ id: _, isPartial: __, packageFolder: ___, ...server }: LockedServer): JsonObject {
  // Lockfile values are JSON already; only readonly arrays and interfaces need telling so.
  return asJson(server);
}
