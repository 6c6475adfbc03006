import { replacePlaceholders } from "@codemode/runtime/placeholders";
import type { Config, ServerConfig } from "../../../schemas/config/config.ts";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { toSource } from "../../../schemas/config/to-config.ts";
import { takeOutSecrets } from "../../../schemas/secrets/secrets-in-config.ts";
import { readTextIfPresent } from "../files.ts";
import { type ClientFile, type ClientId, type ClientPlaces, listClientFiles } from "./client-files.ts";
import { parseClientFile } from "./parse-client-file.ts";
import { describeDifferences, type IsSameValue } from "./same-server.ts";

/** Servers in a client's file that codemode serves too: with both, the agent pays for their tools twice. */
export interface OldServers {
  file: ClientFile;
  names: string[];
  /** Servers of the same names that are others: how they differ, in words. They stay where they are. */
  others: { name: string; differs: string[] }[];
}

/** The file beside a client's file that keeps what was moved out of it, in the client's own form. */
export const backupOf = (path: string): string => `${path}.codemode-backup`;

/** Finds them in all files of a client, or of all clients. A file that cannot be read has none. */
export async function findOldServers(
  client: ClientId | undefined,
  config: Config,
  places: ClientPlaces,
): Promise<OldServers[]> {
  const files = await Promise.all(listClientFiles(places).map(async (file) => ({ file, ...(await readFile(file)) })));
  const everywhere = files.flatMap(({ servers, moved }) => [...servers, ...moved]);
  return files
    .filter(({ file }) => (client === undefined || file.id === client) && file.path !== config.file)
    .map(({ file, servers }) => ({ file, ...sortServers(servers, config, { everywhere, places }) }))
    .filter(({ names, others }) => names.length + others.length > 0);
}

type NamedEntry = readonly [name: string, entry: ServerEntry];

async function readFile(file: ClientFile): Promise<{ servers: NamedEntry[]; moved: NamedEntry[] }> {
  const [servers, moved] = await Promise.all([file.path, backupOf(file.path)].map((path) => readEntries(path, file)));
  return { servers: servers ?? [], moved: moved ?? [] };
}

async function readEntries(path: string, file: ClientFile): Promise<NamedEntry[]> {
  try {
    const text = await readTextIfPresent(path);
    return text === undefined ? [] : [...parseClientFile(text, file).servers];
  } catch {
    // What cannot be read is not taken out.
    return [];
  }
}

interface Known {
  /** The entries of all clients, also moved ones. */
  everywhere: readonly NamedEntry[];
  places: ClientPlaces;
}

/** The entries of a file that the configuration has too, and the entries that only share a name with it. */
function sortServers(
  entries: readonly NamedEntry[],
  { servers }: Pick<Config, "servers">,
  known: Known,
): Pick<OldServers, "names" | "others"> {
  const names: string[] = [];
  const others: OldServers["others"] = [];
  for (const [name, entry] of entries) {
    const served = servers.filter((server) => server.name === name || server.name.startsWith(`${name}--`));
    if (served.length === 0 || entry.disabled === true) continue;
    const differences = served.map((server) => describeServed(server, [name, entry], known));
    if (differences.some((differs) => differs.length === 0)) names.push(name);
    else others.push({ name, differs: differences[0] ?? [] });
  }
  return { names, others };
}

/**
 * How an entry differs from a server of the configuration, which has placeholders where the entry has secrets. Values of variables that are set decide.
 * Where they are not, the entry must be as `init` writes it, and no entry of another client may have another secret there.
 */
function describeServed(server: ServerConfig, [name, entry]: NamedEntry, { everywhere, places }: Known): string[] {
  const source = toSource(entry);
  const configured = server.source;
  const written = toSource(takeOutSecrets(new Map([[server.name, entry]])).servers.get(server.name) ?? entry);
  const isKnown = (text: string): boolean => fillText(text, places) !== undefined;
  const isSame: IsSameValue = (left, right) =>
    left === right || !isKnown(left) || fillText(left, places) === (fillText(right, places) ?? right);
  const known = describeDifferences(configured, source, isSame);
  const unwritten = describeDifferences(configured, written, (left, right) => left === right || isKnown(left));
  const unknown = describeDifferences(configured, source, (left, right) => left === right || isKnown(left));
  const twins = everywhere.filter(([other]) => other === name).map(([, other]) => toSource(other));
  const unlikeTwins = twins.flatMap((other) => describeDifferences(other, source));
  return [...new Set([...known, ...unwritten, ...unknown.filter((each) => unlikeTwins.includes(each))])];
}

/** The text with the values of its variables; undefined where one is not set. */
function fillText(text: string, { env, folder, home }: ClientPlaces): string | undefined {
  try {
    return replacePlaceholders(text, { env, workspaceFolder: folder, userHome: home }, (name) => new Unset(name));
  } catch (error) {
    if (error instanceof Unset) return undefined;
    throw error;
  }
}

class Unset extends Error {}
