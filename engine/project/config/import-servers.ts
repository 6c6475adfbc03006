import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { toSource } from "../../../schemas/config/to-config.ts";
import { describeDifferences } from "../clients/same-server.ts";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { configBroken, noServersIn } from "../../../schemas/errors.ts";
import { type ClientFormat, type ClientPlaces, type ClientScope, listClientFiles } from "../clients/client-files.ts";
import { asHeader, asWord, findSameNames } from "../../../schemas/text/same-names.ts";
import { type ParsedClientFile, parseClientFile, type ServersPlace } from "../clients/parse-client-file.ts";
import { readText, readTextIfPresent } from "../files.ts";

/** Servers found in the files of MCP clients. */
export interface ImportedServers {
  servers: Map<string, ServerEntry>;
  /** Which file gave which servers, and which could not be read. */
  sources: ImportSource[];
}

/** What one file gave. */
export interface ImportSource {
  client: string;
  scope: ClientScope;
  path: string;
  /** The servers that were taken; others of the same names came first. */
  names: string[];
  /** Servers that differ from a server of the same name that came first: they have another name here. */
  renamed: TakenServer[];
  /** Keys that were not taken over, as `SERVER.KEY`. */
  ignored: string[];
  /** The names of entries that codemode can neither start nor call. */
  unread: string[];
  /** Why the file could not be read. */
  problem?: string | undefined;
}

/** Reads the servers of every client file that exists. A broken file is named and passed over. */
export async function importServers(folder: string, places: Partial<ClientPlaces> = {}): Promise<ImportedServers> {
  const files = listClientFiles({ folder, home: homedir(), platform: process.platform, env: process.env, ...places });
  const found: ImportedServers = { servers: new Map(), sources: [] };
  for (const file of files) {
    const { client, scope, path } = file;
    const source = { client, scope, path, names: [], unread: [], renamed: [], ignored: [] };
    try {
      const text = await readTextIfPresent(path);
      if (text === undefined) continue;
      const { servers, unread, ignored } = readServers(text, file);
      const taken = [...servers].map(([name, entry]) => take(found.servers, name, entry));
      const names = taken.flatMap((one) => (one.isNew ? [one.as] : []));
      const renamed = taken.filter((one) => one.isNew && one.as !== one.name);
      if (servers.size > 0 || unread.length > 0)
        found.sources.push({ ...source, names, unread, renamed, ignored: listIgnored(ignored) });
    } catch (error) {
      found.sources.push({ ...source, problem: describe(error) });
    }
  }
  return found;
}

/** What a file has, with one of each header: of two in another case the last is kept, and the other named. */
function readServers(text: string, place: ServersPlace): ParsedClientFile {
  const parsed = parseClientFile(text, place);
  for (const [name, entry] of parsed.servers) {
    const headers = { ...entry.headers };
    for (
      let same = findSameNames(Object.keys(headers), asHeader);
      same;
      same = findSameNames(Object.keys(headers), asHeader)
    ) {
      delete headers[same[0]];
      parsed.ignored.set(name, [...(parsed.ignored.get(name) ?? []), `headers.${same[0]}`]);
      parsed.servers.set(name, { ...entry, headers });
    }
  }
  return parsed;
}

function listIgnored(ignored: ReadonlyMap<string, readonly string[]>): string[] {
  return [...ignored].flatMap(([name, keys]) => keys.map((key) => `${name}.${key}`));
}

/** A server of a file, and under which name it was taken. */
interface TakenServer {
  name: string;
  as: string;
  /** How it differs from the server that has its name, in words. */
  differs: string[];
  /** Whether no server before was the same. */
  isNew: boolean;
}

/** Takes a server over. One with the name of another server gets a name of its own: the name alone does not make them the same. */
function take(taken: Map<string, ServerEntry>, name: string, entry: ServerEntry): TakenServer {
  let differs: string[] = [];
  for (let number = 1; ; number += 1) {
    const as = number === 1 ? asWord(name) : `${asWord(name)}--${number}`;
    const other = taken.get(as);
    if (other === undefined) {
      taken.set(as, entry);
      return { name, as, differs, isNew: true };
    }
    const found = describeDifferences(toSource(other), toSource(entry));
    if (found.length === 0) return { name, as, differs: [], isNew: false };
    if (number === 1) differs = found;
  }
}

/** The reason alone: parsers of TOML and YAML quote what they read, and these files may hold tokens. */
function describe(error: unknown): string {
  if (error instanceof CodemodeError) return error.message;
  const [line = ""] = (error as Error).message.split("\n");
  return `it cannot be read: ${line}`;
}

/** The forms that are tried on a file that the user named, by its language. The first with a server wins. */
const FORMATS = {
  toml: ["codex"],
  yaml: ["goose", "continue"],
  json: ["mcp-servers", "vscode", "opencode", "zed", "amp", "crush"],
} as const satisfies Record<string, readonly ClientFormat[]>;

/**
 * Reads the servers of one file that the user named; its name says the language. Of Claude's own file, the servers of this project count too.
 * @throws CodemodeError where the file cannot be read, or holds no server
 */
export async function importServersFrom(file: string, folder: string): Promise<ImportedServers> {
  const path = resolve(folder, file);
  const text = await readText(path);
  const [, ending = ""] = /\.(toml|ya?ml)$/.exec(path) ?? [];
  const formats = FORMATS[ending === "toml" ? "toml" : ending === "" ? "json" : "yaml"];
  const places = [
    ...formats.map((format) => ({ format })),
    ...(ending === "" ? [{ format: "mcp-servers" as const, within: ["projects", folder] }] : []),
  ];
  let readings: ParsedClientFile[];
  try {
    readings = places.map((place) => readServers(text, place));
  } catch (error) {
    throw configBroken(file, (error as Error).message);
  }
  const local = ending === "" ? readings.at(-1) : undefined;
  const found = readings.find(({ servers }) => servers.size > 0);
  if (found === undefined)
    throw noServersIn(
      file,
      readings.flatMap(({ unread }) => unread),
    );
  const read = [...new Set([...(local === undefined ? [] : [local]), found])];
  const servers = new Map(read.flatMap((one) => [...one.servers]));
  const [unread, ignored] = [read.flatMap((one) => one.unread), read.flatMap((one) => listIgnored(one.ignored))];
  const source = { client: basename(file), scope: "project" as const, path: file, names: [...servers.keys()] };
  return { servers, sources: [{ ...source, unread, ignored, renamed: [] }] };
}
