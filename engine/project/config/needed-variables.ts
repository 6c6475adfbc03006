import type { Config, ServerSource } from "../../../schemas/config/config.ts";
import { PLACEHOLDER } from "../../../schemas/config/placeholder.ts";

const OWN_NAMES = new Set(["workspaceFolder", "userHome"]);

/** Names of environment variables, sorted. */
export interface NeededVariables {
  /** Without these, a server cannot be started. */
  required: string[];
  /** These have a default in the configuration. */
  optional: string[];
}

/** The variables that the configuration's servers are started with. Only names: nothing here looks at the environment. */
export function listNeededVariables({ servers }: Pick<Config, "servers">): NeededVariables {
  return listVariables(servers.flatMap(({ source }) => textsOf(source)));
}

/** The variables that `codemode serve` needs for itself: those of tokens and keys. */
export function listServeVariables({ serve }: Pick<Config, "serve">): NeededVariables {
  const { token, operatorToken, clients } = serve;
  return listVariables([token ?? "", operatorToken ?? "", ...clients.map((client) => client.token)]);
}

/**
 * The variable that holds the token of a client over HTTP: the client's of this name in `serve.clients`, else the one of `serve.token`.
 * Undefined where there is none, or where the token is not exactly a placeholder.
 */
export function findTokenVariable({ serve }: Pick<Config, "serve">, client: string): string | undefined {
  const token = serve.clients.find(({ name }) => name === client)?.token ?? serve.token ?? "";
  return /^\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(token)?.[1];
}

function listVariables(texts: readonly string[]): NeededVariables {
  const found = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)]);
  const named = (wanted: (fallback: string | undefined) => boolean): string[] =>
    [...new Set(found.filter(([, , fallback]) => wanted(fallback)).map(([, name]) => name as string))]
      .filter((name) => !OWN_NAMES.has(name))
      .toSorted();
  const required = named((fallback) => fallback === undefined);
  return { required, optional: named((fallback) => fallback !== undefined).filter((name) => !required.includes(name)) };
}

function textsOf(source: ServerSource): string[] {
  if (source.transport === "stdio") {
    return [source.command, ...source.args, ...source.env.values(), source.cwd ?? ""];
  }
  return [source.url, ...source.headers.values(), ...Object.values(source.oauth ?? {})];
}
