import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { relative } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { findExposed } from "../../../engine/project/config/find-exposed.ts";
import { readTextIfPresent } from "../../../engine/project/files.ts";
import { listNeededVariables, listServeVariables } from "../../../engine/project/config/needed-variables.ts";
import { type ConfigRequest, findConfigFile, loadConfig, projectFolder } from "../../../engine/load-config.ts";
import { findJsonError, lineOfPlace, type JsonError } from "./find-json-place.ts";

/** The configuration, or what is wrong with it. */
export type ConfigurationFacts =
  | {
      ok: true;
      config: Config;
      shown: string;
      unsetVariables: string[];
      unsetServeVariables: string[];
      /** Servers whose arguments name a folder with the project's own configuration or packages, each with the word. */
      exposed: string[];
    }
  | {
      ok: false;
      /** Undefined where there is none. */
      shown?: string | undefined;
      /** The project folder, as far as known. */
      folder: string;
      code: string;
      failure: string;
      hint: string;
      line?: number | undefined;
      column?: number | undefined;
    };

export type ConfigurationPlace = ConfigRequest;

/** Loads the configuration; where that fails, finds the line. Variables are looked for by name: no value is read into anything. */
export async function probeConfiguration(
  place: ConfigurationPlace,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ConfigurationFacts> {
  let file: string | undefined;
  try {
    file = findConfigFile(place);
    const config = await loadConfig(place);
    const unset = (names: readonly string[]): string[] => names.filter((name) => !Object.hasOwn(env, name));
    return {
      ok: true,
      config,
      shown: toShown(place.cwd, file),
      unsetVariables: unset(listNeededVariables(config).required),
      unsetServeVariables: unset(listServeVariables(config).required),
      exposed: config.servers.flatMap((server) => findExposed(config, server).map((word) => `${server.id} ${word}`)),
    };
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    const { code, message: failure, hint } = error;
    if (file === undefined) return { ok: false, folder: place.cwd, code, failure, hint };
    const known = { ok: false, shown: toShown(place.cwd, file), folder: projectFolder(file), code, hint } as const;
    const text = await readTextIfPresent(file).catch(() => undefined);
    return { ...known, ...locate(code, failure, text) };
  }
}

/** The words of the JSON parser quote the text around the mistake, which may be a secret: they are not used. */
function locate(code: string, failure: string, text: string | undefined): { failure: string } & Partial<JsonError> {
  if (text === undefined) return { failure };
  if (code === "CONFIG_BROKEN") {
    const error = findJsonError(text);
    return error === undefined
      ? { failure: "it is not valid JSON" }
      : { failure: `it is not valid JSON: ${error.words}`, ...error };
  }
  const line = lineOfPlace(text, failure);
  return { failure, ...withoutUndefined({ line }) };
}

function toShown(cwd: string, file: string): string {
  return relative(cwd, file) || file;
}
