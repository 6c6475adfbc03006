import { readClaims } from "../../schemas/access/policy.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../schemas/lock/operations.ts";

/**
 * What a script can do at most, from the claims of all tools that it may call: clients ask a person less often, or not at all, where
 * everything only reads. Without tools nothing is claimed: the first server may come while the client is connected.
 */
export function annotateRunTool({ servers }: Lockfile): JsonObject {
  const claims = [...servers.values()].flatMap((server) => operationsOf(server).map(readClaims));
  const isEmpty = claims.length === 0;
  return {
    readOnlyHint: !isEmpty && claims.every(({ readOnly }) => readOnly),
    destructiveHint: isEmpty || claims.some(({ destructive }) => destructive),
    openWorldHint: isEmpty || claims.some(({ openWorld }) => openWorld),
  };
}
