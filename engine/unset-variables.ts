import type { Config } from "../schemas/config/config.ts";
import { listNeededVariables } from "./project/config/needed-variables.ts";

/** One line for each server that cannot be started because variables are not set: their names, never a value. */
export function describeUnsetVariables({ servers }: Pick<Config, "servers">, env: NodeJS.ProcessEnv): string[] {
  return servers.flatMap((server) => {
    const unset = listNeededVariables({ servers: [server] }).required.filter((name) => env[name] === undefined);
    if (unset.length === 0) return [];
    const isOne = unset.length === 1;
    return [
      `The server "${server.name}" needs ${unset.join(", ")}, which ${isOne ? "is" : "are"} not set where codemode runs: it is not started. ` +
        `A program that was started from the desktop has no variables of a shell; give ${isOne ? "it" : "them"} in the entry of the client.`,
    ];
  });
}
