import { homedir } from "node:os";
import { resolve } from "node:path";
import { type ServerConfig } from "../../schemas/config.ts";
import { invalidOption, variableUnset } from "../../schemas/errors.ts";
import { replacePlaceholders } from "../../schemas/placeholders.ts";
import { type ServerTarget } from "./connections/connect-server.ts";

/** Replaces the placeholders of a server. The result holds secrets: it goes to the connection and nowhere else. */
export function resolveTarget(
  server: ServerConfig,
  options: { folder: string; env?: NodeJS.ProcessEnv },
): ServerTarget {
  const { id, name, source, timeoutMs } = server;
  if (source.transport !== "stdio") {
    throw invalidOption(
      `server "${name}"`,
      `the transport "${source.transport}" is not supported yet; only stdio servers are`,
    );
  }
  const secrets = new Map<string, string>();
  const values = {
    env: options.env ?? process.env,
    workspaceFolder: options.folder,
    userHome: homedir(),
    onUsed: (variable: string, value: string) => void secrets.set(variable, value),
  };
  const fill = (text: string): string => replacePlaceholders(text, values, (variable) => variableUnset(name, variable));
  return {
    id,
    name,
    transport: "stdio",
    command: fill(source.command),
    args: source.args.map(fill),
    env: Object.fromEntries([...source.env].map(([variable, value]) => [variable, fill(value)])),
    cwd: resolve(options.folder, fill(source.cwd ?? ".")),
    timeoutMs,
    // After everything above was filled in: a variable may stand in an argument alone.
    secrets: Object.fromEntries(secrets),
  };
}
