import type { Config } from "../../../schemas/config/config.ts";
import {
  auditFileOf,
  clientServersOf,
  envFilesOf,
  outputFolderOf,
  type ProjectStart,
  sandboxCommandOf,
  startsOfServers,
  storeOf,
} from "./project-starts.ts";

/** Settings that have a gate of their own, beside the servers: what a configuration does by each. */
export const GATED_SETTINGS = {
  envFile: envFilesOf,
  "serve.store": storeOf,
  "sandbox.command": sandboxCommandOf,
  "audit.file": auditFileOf,
  out: outputFolderOf,
} as const satisfies Record<string, (config: Config) => ProjectStart[]>;

export type GatedSetting = keyof typeof GATED_SETTINGS;

/**
 * All that a configuration starts, reaches, reads or writes outside of its folder: servers first, then the settings. The schema says by `x-trust`
 * what each key does, and a test changes each of them: what is not `plain` has to be here.
 */
export function listStarts(config: Config): ProjectStart[] {
  return [startsOfServers, clientServersOf, ...Object.values(GATED_SETTINGS)].flatMap((list) => list(config));
}
