import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { optionInvalid } from "../schemas/errors.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import { listSome } from "../schemas/list-some.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import { type Config, CONFIG_FILES } from "../schemas/config/config.ts";
import { takeOutSecrets, type TakenSecret } from "../schemas/secrets/secrets-in-config.ts";
import { checkConfig, type ConfigRequest, loadConfig } from "./load-config.ts";
import { type ImportedServers, importServers, importServersFrom } from "./project/config/import-servers.ts";
import { NEW_POLICY, writeNewConfig, writeGitignore, writeTsconfig } from "./project/config/write-project-files.ts";
import { findUnsetVariables } from "./variables.ts";
import { asOneStep } from "./project/as-one-step.ts";
import { linkRuntime } from "./project/emit/link-project.ts";
import { trustServers } from "./trust-project.ts";

export type { ImportedServers, ImportSource } from "./project/config/import-servers.ts";

const [OWN_CONFIG] = CONFIG_FILES;

/** Reads the servers of the MCP clients of this machine, or of one file alone. */
export async function findServers(folder: string, from: string | undefined): Promise<ImportedServers> {
  return from === undefined ? importServers(folder) : importServersFrom(from, folder);
}

/** Only the servers of these names. Throws a `CodemodeError` for a name that no client has. */
export function chooseServers({ servers, sources }: ImportedServers, wanted: readonly string[]): ImportedServers {
  const unknown = wanted.find((name) => !servers.has(name));
  if (unknown !== undefined) {
    const known = servers.size === 0 ? "no client has a server" : `found: ${listSome([...servers.keys()])}`;
    throw optionInvalid("--servers", `there is no server ${toSourceLiteral(unknown)} (${known})`);
  }
  const isWanted = (name: string): boolean => wanted.includes(name);
  return {
    servers: new Map([...servers].filter(([name]) => isWanted(name))),
    sources: sources
      .map((source) => ({
        ...source,
        names: source.names.filter(isWanted),
        renamed: source.renamed.filter(({ as }) => isWanted(as)),
        ignored: source.ignored.filter((key) => wanted.some((name) => key.startsWith(`${name}.`))),
        unread: [],
      }))
      .filter(({ names, problem }) => names.length > 0 || problem !== undefined),
  };
}

/** The OpenAPI documents of a folder, by their usual names. */
export async function findApiDocuments(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^(?:openapi|swagger)\.(?:ya?ml|json)$/.test(name)).toSorted();
}

/** What a new project has got. */
export interface NewProject {
  /** The file of its configuration. */
  file: string;
  /** Secrets that have a placeholder in the configuration. */
  secrets: readonly TakenSecret[];
  /** Variables that the servers need and that are not set, beside those of secrets. */
  unset: readonly string[];
  /** What was written for editors and git, one sentence for each. */
  written: readonly string[];
}

/** What a new configuration lets scripts do. */
const POLICY_NOTE =
  'Scripts ask a person before they call a tool that may destroy something ("policy" in codemode.config.json, "ask": ["@destructive"]). Tools without this annotation are treated as destructive.';

/** Writes the configuration of a new project with these servers, and sets up the editor. */
export async function initProject(folder: string, imported: ImportedServers): Promise<NewProject> {
  const files = [OWN_CONFIG, "tsconfig.json", ".gitignore"].map((name) => join(folder, name));
  return asOneStep(files, folder, () => writeProject(folder, imported));
}

async function writeProject(folder: string, imported: ImportedServers): Promise<NewProject> {
  const { servers, secrets } = takeOutSecrets(imported.servers);
  const file = await writeNewConfig(folder, servers);
  await trustOwnServers(folder, imported);
  await linkRuntime(folder);
  const config = await loadConfig({ cwd: folder, configFile: file });
  const taken = new Set(secrets.map(({ variable }) => variable));
  const needed = findUnsetVariables(config).servers.flatMap((server) => server.unset);
  const unset = [...new Set(needed)].filter((name) => !taken.has(name)).toSorted();
  return { file, secrets, unset, written: [await writeTsconfig(folder), await writeGitignore(folder), POLICY_NOTE] };
}

/** The configuration that a command works with; where there is none, and none is named, the one of a project which is not written yet. */
export async function loadOrPlanConfig(request: ConfigRequest): Promise<{ config: Config; isNew: boolean }> {
  try {
    return { config: await loadConfig(request), isNew: false };
  } catch (error) {
    const isMissing = error instanceof CodemodeError && error.code === "CONFIG_MISSING";
    if (!isMissing || request.configFile !== undefined) throw error;
    const config = await checkConfig({ mcpServers: {}, policy: NEW_POLICY }, join(request.cwd, OWN_CONFIG));
    return { config: { ...config, isTrusted: request.isTrusted ?? false }, isNew: true };
  }
}

/** What stands in the files of the user's own account is the user's; what lay in the folder came with the folder. */
async function trustOwnServers(cwd: string, { sources }: ImportedServers): Promise<void> {
  const own = new Set(sources.filter(({ scope }) => scope === "user").flatMap(({ names }) => names));
  if (own.size > 0) await trustServers(await loadConfig({ cwd, configFile: OWN_CONFIG }), own);
}
