import { listClientServers } from "../../runtime/mcp/client-server.ts";
import { findCredentials } from "../../runtime/mcp/mask-credentials.ts";
import { resolveTarget } from "../../runtime/mcp/resolve-target.ts";
import { valuesOf, filledVariables } from "../../runtime/mcp/variables.ts";
import type { Config } from "../../schemas/config/config.ts";
import { replacePlaceholders } from "@codemode/runtime/placeholders";

/** The credentials of all servers, the tokens of all clients and the approval key, by names to show instead. */
export function findSecrets(config: Config, env: NodeJS.ProcessEnv): Record<string, string> {
  const { servers, serve, folder } = config;
  const fill = (text: string): string =>
    replacePlaceholders(text, valuesOf(config, env), (variable) => new Error(variable));
  const ofServe = [
    ...serve.clients.map(({ name, token }) => [`token of ${name}`, token] as const),
    ["token", serve.token] as const,
    ["operator token", serve.operatorToken] as const,
    ["metrics token", serve.metrics?.token] as const,
  ];
  return joinSecrets([
    ...[...servers, ...listClientServers(config).map(({ server }) => server)].map((server) =>
      orNone(() => findCredentials(resolveTarget(server, folder, filledVariables(config, env, server)))),
    ),
    ...ofServe.map(([name, text]) => orNone(() => (text === undefined ? {} : { [name]: fill(text) }))),
  ]);
}

/** Two servers may each have an `Authorization`: the second value gets a name of its own, for neither may be lost. */
function joinSecrets(parts: readonly Record<string, string>[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    let own = name;
    for (let count = 2; joined.has(own) && joined.get(own) !== value; count += 1) own = `${name} ${count}`;
    joined.set(own, value);
  }
  return Object.fromEntries(joined);
}

/** An unset variable has no secret; its user reports that it is missing. */
function orNone(find: () => Record<string, string>): Record<string, string> {
  try {
    return find();
  } catch {
    return {};
  }
}
