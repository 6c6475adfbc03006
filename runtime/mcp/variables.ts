import {
  EnvFileProblem,
  type EnvFilePlace,
  type FileVariables,
  readEnvFiles,
  underEnvironment,
} from "@codemode/runtime/connections/env-files";
import { homedir } from "node:os";
import type { PlaceholderValues } from "@codemode/runtime/placeholders";
import type { Config, ServerConfig } from "../../schemas/config/config.ts";
import { envFileInvalid } from "../../schemas/errors.ts";
import { assertFilesTrusted } from "./trust/assert-trusted.ts";

/** What the placeholders of a configuration, or of one of its servers, stand for. It holds credentials. */
export interface Variables {
  /** By name: the environment, then the server's own files, then the project's. */
  env: NodeJS.ProcessEnv;
  /** The names that files give. */
  fromFiles?: ReadonlySet<string>;
  /** The names in the server's own files: its program gets them. */
  own?: readonly string[];
}

/**
 * The one place that gives variables to what replaces placeholders. Files of the configuration are read here, after the gate for those outside
 * of the project folder.
 *
 * @param server without it, the project's own files count alone
 * @throws CodemodeError `PROJECT_UNTRUSTED` or `ENV_FILE_INVALID`
 */
export function filledVariables(
  config: Config,
  env: NodeJS.ProcessEnv = process.env,
  server?: Pick<ServerConfig, "source">,
): Variables {
  const own = server?.source.envFile;
  if (config.envFile === undefined && own === undefined) return { env };
  const ofProject = readTrusted(config, config);
  const ofServer = own === undefined ? {} : readTrusted(config, { envFile: own });
  const files = { ...ofProject, ...ofServer };
  return { env: underEnvironment(files, env), fromFiles: new Set(Object.keys(files)), own: Object.keys(ofServer) };
}

/** What texts of the configuration beside its servers are filled with. Throws as `variablesOf`. */
export function valuesOf(config: Config, env?: NodeJS.ProcessEnv): PlaceholderValues {
  return { env: filledVariables(config, env).env, workspaceFolder: config.folder, userHome: homedir() };
}

function readTrusted(config: Config, { envFile }: Pick<EnvFilePlace, "envFile">): FileVariables {
  try {
    if (envFile !== undefined) assertFilesTrusted(config, { envFile });
    return readEnvFiles({ folder: config.folder, envFile });
  } catch (error) {
    if (error instanceof EnvFileProblem) throw envFileInvalid(error.place, error.problem);
    throw error;
  }
}
