import { CONFIG_FILES } from "../schemas/config/config.ts";
import { takeOutSecrets, type TakenSecret } from "../schemas/secrets/secrets-in-config.ts";
import { loadConfig } from "./load-config.ts";
import { type ImportedServers, importServers, importServersFrom } from "./project/config/import-servers.ts";
import { writeNewConfig } from "./project/config/write-config.ts";
import { writeGitignore } from "./project/config/write-gitignore.ts";
import { writeTsconfig } from "./project/config/write-tsconfig.ts";
import { linkRuntime } from "./project/emit/link-runtime.ts";
import { trustServers } from "./trust-project.ts";

export type { ImportSource } from "./project/config/import-servers.ts";

const [OWN_CONFIG] = CONFIG_FILES;

/** Reads the servers of the MCP clients of this machine, or of one file alone. */
export async function findServers(folder: string, from: string | undefined): Promise<ImportedServers> {
  return from === undefined ? importServers(folder) : { servers: await importServersFrom(from, folder), sources: [] };
}

/** What a new project has got. */
export interface NewProject {
  /** The file of its configuration. */
  file: string;
  /** Secrets that have a placeholder in the configuration. */
  secrets: readonly TakenSecret[];
  /** What was written for editors and git, one sentence for each. */
  written: readonly string[];
}

/** Writes the configuration of a new project with these servers, and sets up the editor. */
export async function initProject(folder: string, imported: ImportedServers): Promise<NewProject> {
  const { servers, secrets } = takeOutSecrets(imported.servers);
  const file = await writeNewConfig(folder, servers);
  await trustOwnServers(folder, imported);
  await linkRuntime(folder);
  return { file, secrets, written: [await writeTsconfig(folder), await writeGitignore(folder)] };
}

/** What stands in the files of the user's own account is the user's; what lay in the folder came with the folder. */
async function trustOwnServers(cwd: string, { sources }: ImportedServers): Promise<void> {
  const own = new Set(sources.filter(({ scope }) => scope === "user").flatMap(({ names }) => names));
  if (own.size > 0) await trustServers(await loadConfig({ cwd, configFile: OWN_CONFIG }), own);
}
