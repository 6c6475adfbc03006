import { type ServerSettings, trustSubjectOf } from "./configuration.ts";
import { ConnectionError } from "../../mcp/client/connection-error.ts";
import { EnvFileProblem, readEnvFiles, underEnvironment } from "../../mcp/client/env-files.ts";
import { fillPlace } from "../../mcp/client/fill-place.ts";
import type { ServerTarget } from "../../mcp/client/server-target.ts";

/** Replaces the placeholders of a server. Throws `ConnectionError`, which names variables and never a value. */
export function resolveSettings(settings: ServerSettings): ServerTarget {
  const { id, name, folder, timeoutMs } = settings;
  const { env, own } = readVariables(settings);
  const { place, secrets } = fillPlace(trustSubjectOf(settings), {
    folder,
    env,
    onUnset: (variable) =>
      new ConnectionError("start-failed", `The server "${name}" needs the environment variable ${variable}.`, {
        serverName: name,
        hint: `Set ${variable}.`,
      }),
    onInvalid: (problem) =>
      new ConnectionError("start-failed", `The server "${name}" cannot be used: ${problem}.`, {
        serverName: name,
        hint: `Correct the server "${name}".`,
      }),
  });
  const target = { id, name, timeoutMs, ...place, secrets };
  return target.transport === "stdio" ? { ...target, env: { ...own, ...target.env } } : target;
}

/** The variables that placeholders stand for, and the ones that the program gets. As in codemode's host, the environment wins over files. */
function readVariables({ name, folder, envFile, project }: ServerSettings): {
  env: NodeJS.ProcessEnv;
  own: Record<string, string>;
} {
  if (envFile === undefined && project.envFile === undefined) return { env: process.env, own: {} };
  try {
    const own = readEnvFiles({ folder, envFile });
    const env = underEnvironment({ ...readEnvFiles(project), ...own }, process.env);
    return { env, own: Object.fromEntries(Object.keys(own).map((key) => [key, env[key] ?? ""])) };
  } catch (error) {
    if (!(error instanceof EnvFileProblem)) throw error;
    throw new ConnectionError("start-failed", `The file of variables ${error.message}.`, {
      serverName: name,
      hint: 'Write one NAME=value in each line of it, or name another file in "envFile".',
    });
  }
}
