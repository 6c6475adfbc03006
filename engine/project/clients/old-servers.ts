import type { Config, ServerEntry, ServerSource } from "../../../schemas/config/config.ts";
import { toSource } from "../../../schemas/config/to-config.ts";
import { type ClientFile, type ClientId, type ClientPlaces, listClientFiles } from "./client-files.ts";
import { parseClientFile } from "./parse-client-file.ts";
import { takeOutSecrets } from "../../../schemas/secrets/secrets-in-config.ts";
import { readTextIfPresent } from "../files.ts";

/** Servers in a client's file that codemode serves too: with both, the agent pays for their tools twice. */
export interface OldServers {
  file: ClientFile;
  names: string[];
}

/** Finds them in all files of a client. A file that cannot be read has none. */
export async function findOldServers(client: ClientId, config: Config, places: ClientPlaces): Promise<OldServers[]> {
  const files = listClientFiles(places).filter(({ id }) => id === client);
  const found = await Promise.all(files.map(async (file) => ({ file, names: await namesIn(file, config) })));
  return found.filter(({ names }) => names.length > 0);
}

async function namesIn(file: ClientFile, config: Config): Promise<string[]> {
  // A project may be configured by the file of a client: its servers are not old.
  if (file.path === config.file) return [];
  try {
    const text = await readTextIfPresent(file.path);
    return text === undefined ? [] : listOldServers(text, file, config);
  } catch {
    return [];
  }
}

/** The names in a client's file of servers that codemode serves: the same name, and the same command or address. */
export function listOldServers(text: string, file: ClientFile, { servers }: Pick<Config, "servers">): string[] {
  // As `init` has written them.
  const entries = takeOutSecrets(parseClientFile(text, file).servers).servers;
  return [...entries].flatMap(([name, entry]) => {
    const served = servers.find((server) => server.name === name);
    return served !== undefined && entry.disabled !== true && isSameTarget(served.source, entry) ? [name] : [];
  });
}

function isSameTarget(source: ServerSource, entry: ServerEntry): boolean {
  const other = toSource(entry);
  if (source.transport === "stdio") {
    return other.transport === "stdio" && isSameText([source.command, ...source.args], [other.command, ...other.args]);
  }
  return other.transport !== "stdio" && source.url === other.url;
}

function isSameText(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at]);
}
