import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";

/** Connects servers ahead of their use. Gives those that have failed so far. */
export function startConnecting(
  connections: ConnectionSet,
  serverIds: readonly string[],
  access: Access,
  audience: Audience,
): () => readonly Diagnostic[] {
  const failures: Diagnostic[] = [];
  for (const serverId of serverIds) {
    void connections
      .get(serverId, access)
      .catch((error) => failures.push(toServerDiagnostic(error, serverId, audience)));
  }
  return () => failures;
}
