import { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config } from "../schemas/config/config.ts";
import { type Variables, variablesOf } from "../runtime/mcp/variables.ts";
import { listNeededVariables, listServeVariables } from "./project/config/needed-variables.ts";

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
  const lookUp = (...[server]: readonly Config["servers"][number][]): Variables => {
    try {
      return variablesOf(config, env, server);
    } catch (error) {
      if (!(error instanceof CodemodeError)) throw error;
      problems.set(error.message, error);
      // What the project's files have is not missing as well.
      return server === undefined ? { env } : lookUp();
    }
  };
  const missing = (names: readonly string[], values: NodeJS.ProcessEnv): string[] =>
    names.filter((name) => !Object.hasOwn(values, name));
  const servers = config.servers.map((server) => ({
    name: server.name,
    unset: missing(listNeededVariables({ servers: [server] }).required, lookUp(server).env),
  }));
  const serve = missing(listServeVariables(config).required, lookUp().env);
  return { servers: servers.filter(({ unset }) => unset.length > 0), serve, problems: [...problems.values()] };
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
