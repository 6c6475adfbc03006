import { nearestName } from "@codemode/runtime/nearest-name";
import type { ConfigFile, ServerEntry } from "../../../schemas/config/config.ts";
import { hasValues, type ServerValues } from "../../../schemas/config/serve-settings.ts";
import { assignServerIds } from "../../../schemas/lock/server-ids.ts";

/** Says the first client with values for a server that does not exist, or has no place for them: they would go nowhere. */
export function explainClientProblem({ mcpServers, serve }: ConfigFile): { cause: string; hint: string } | undefined {
  const ids = assignServerIds(Object.keys(mcpServers));
  const entries = new Map(Object.values(mcpServers).map((entry, index) => [ids[index] as string, entry]));
  for (const [client, { servers = [] }] of Object.entries(serve?.clients ?? {})) {
    if (Array.isArray(servers)) continue;
    for (const [id, values] of Object.entries(servers)) {
      if (!hasValues(values)) continue;
      const place = `"/serve/clients/${client}/servers/${id}"`;
      const entry = entries.get(id);
      if (entry === undefined)
        return { cause: `${place} has values, and there is no server "${id}"`, hint: suggest(id, ids) };
      const problem = explainMisfit(entry, values);
      if (problem !== undefined) return { cause: `${place} has ${problem.cause}`, hint: problem.hint };
    }
  }
  return undefined;
}

function suggest(id: string, ids: readonly string[]): string {
  if (/[*?]/.test(id)) return "Write values below the id of one server; a pattern has {} and shares what it matches.";
  const nearest = nearestName(id, ids);
  return nearest === undefined ? `The ids are: ${ids.join(", ")}.` : `Did you mean "${nearest}"?`;
}

function explainMisfit(
  entry: ServerEntry,
  { env, headers }: ServerValues,
): { cause: string; hint: string } | undefined {
  if (entry.url === undefined && headers !== undefined)
    return { cause: '"headers", and the server is a program', hint: 'A program gets values as "env".' };
  if (entry.url !== undefined && env !== undefined)
    return { cause: '"env", and the server is a remote one', hint: 'A remote server gets values as "headers".' };
  return undefined;
}
