import { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config, ServerConfig } from "../schemas/config/config.ts";
import { type Variables, filledVariables } from "../runtime/mcp/variables.ts";
import { listNeededVariables, listServeVariables, type NeededVariables } from "./project/config/needed-variables.ts";

export { valuesOf } from "../runtime/mcp/variables.ts";

/** What a configuration needs and does not have, by name; no value is in it. */
export interface UnsetVariables {
  servers: { name: string; unset: string[] }[];
  /** Of the tokens and keys of `serve`. */
  serve: string[];
  /** Files of variables that cannot be read, or may not be before this account has agreed. */
  problems: CodemodeError[];
}

/** Looks for the variables of all placeholders without a default in the environment and in the files that the configuration names. */
export function findUnsetVariables(config: Config, env: NodeJS.ProcessEnv = process.env): UnsetVariables {
  const problems = new Map<string, CodemodeError>();
  const missing = (names: readonly string[], server?: ServerConfig): string[] => {
    const { variables, problem } = lookUp(config, env, server);
    if (problem !== undefined) problems.set(problem.message, problem);
    return names.filter((name) => !Object.hasOwn(variables.env, name));
  };
  const servers = config.servers.map((server) => ({
    name: server.name,
    unset: missing(listNeededVariables({ servers: [server] }).required, server),
  }));
  const serve = missing(listServeVariables(config).required);
  return { servers: servers.filter(({ unset }) => unset.length > 0), serve, problems: [...problems.values()] };
}

/** The variables that codemode needs from the environment: its servers use them, and no file of the configuration has them. */
export function listVariablesFromOutside(config: Config): NeededVariables {
  const parts = config.servers.map((server) => {
    const { fromFiles } = lookUp(config, {}, server).variables;
    const { required, optional } = listNeededVariables({ servers: [server] });
    const without = (names: readonly string[]): string[] => names.filter((name) => fromFiles?.has(name) !== true);
    return { required: without(required), optional: without(optional) };
  });
  const required = [...new Set(parts.flatMap((part) => part.required))].toSorted();
  const optional = [...new Set(parts.flatMap((part) => part.optional))].filter((name) => !required.includes(name));
  return { required, optional: optional.toSorted() };
}

/** What cannot be read has no variables; what the project's files have is there without the server's. */
function lookUp(
  config: Config,
  env: NodeJS.ProcessEnv,
  server: ServerConfig | undefined,
): { variables: Variables; problem?: CodemodeError } {
  try {
    return { variables: filledVariables(config, env, server) };
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    return { variables: server === undefined ? { env } : lookUp(config, env, undefined).variables, problem: error };
  }
}

/** One line for each server that cannot be started because variables are not set: their names, never a value. */
export function describeUnsetVariables(config: Config, env: NodeJS.ProcessEnv): string[] {
  const { servers, problems } = findUnsetVariables(config, env);
  const ofServers = servers.map(({ name, unset }) => {
    const isOne = unset.length === 1;
    return (
      `The server "${name}" needs ${unset.join(", ")}, which ${isOne ? "is" : "are"} not set where codemode runs: it is not started. ` +
      `A program that was started from the desktop has no variables of a shell: write ${isOne ? "it" : "them"} into a file that "envFile" of the server names.`
    );
  });
  return [...problems.map(({ message, hint }) => `${message} ${hint}`), ...ofServers];
}
