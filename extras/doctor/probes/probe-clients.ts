import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isExecutable } from "../../../runtime/files/is-executable.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { type ClientFile, type ClientPlaces, listClientFiles } from "../../../engine/project/clients/client-files.ts";
import { commandOf, urlOf, isOwnCommand } from "../../../engine/project/clients/entry-parts.ts";
import { listClientEntries } from "../../../engine/project/clients/parse-client-file.ts";
import { listOldServers } from "../../../engine/project/clients/old-servers.ts";
import { readTextIfPresent } from "../../../engine/project/files.ts";

/** A file of a client that is there, and what it has of codemode. */
export interface ClientFacts {
  file: ClientFile;
  /** Why it cannot be read; absent where it can. */
  failure?: string | undefined;
  entries: ClientEntryFacts[];
  /** Servers that codemode serves too. */
  oldServers: string[];
}

/** An entry that starts codemode, or calls it at an address. */
export interface ClientEntryFacts {
  name: string;
  /** The origin of its address, for one that is called. */
  origin?: string | undefined;
  /** What it needs and this machine has not: a command, a file, a folder. */
  missing: string[];
}

/** The default name of `codemode install`. */
const OWN_ENTRY = "codemode";

/** Looks into the files of all known clients. Those that are not there are left out, as are parts of files that have nothing. */
export async function probeClients(places: ClientPlaces, config: Config | undefined): Promise<ClientFacts[]> {
  const found = await Promise.all(listClientFiles(places).map((file) => probeFile(file, places, config)));
  return found.filter(
    (facts) =>
      facts !== undefined && !(facts.file.isOld === true && facts.entries.length + facts.oldServers.length === 0),
  ) as ClientFacts[];
}

async function probeFile(
  file: ClientFile,
  places: ClientPlaces,
  config: Config | undefined,
): Promise<ClientFacts | undefined> {
  try {
    const text = await readTextIfPresent(file.path);
    if (text === undefined) return undefined;
    const entries = listClientEntries(text, file).flatMap(([name, entry]) => toFacts(name, entry, places));
    const isOwnFile = config === undefined || config.file === file.path;
    return { file, entries, oldServers: isOwnFile ? [] : listOldServers(text, file, config) };
  } catch {
    // Parsers quote what they read, and these files may hold tokens.
    return { file, failure: "it cannot be read, or its syntax is broken", entries: [], oldServers: [] };
  }
}

function toFacts(name: string, entry: JsonObject, places: ClientPlaces): ClientEntryFacts[] {
  const words = commandOf(entry);
  // A clone that has been moved is known by nothing but the name of its entry.
  const isOurs = isOwnCommand(words) || (name === OWN_ENTRY && words.includes("serve"));
  if (isOurs) return [{ name, missing: findMissing(words, places) }];
  const url = urlOf(entry);
  if (name !== OWN_ENTRY || url === undefined || !URL.canParse(url)) return [];
  return [{ name, origin: new URL(url).origin, missing: [] }];
}

/** Words with placeholders are the client's to fill in. */
function findMissing(words: readonly string[], { folder, env, platform }: ClientPlaces): string[] {
  const [command = ""] = words;
  const isPlain = (word: string): boolean => !/[$%{]/.test(word);
  const cwdAt = words.indexOf("--cwd");
  const cwd = cwdAt < 0 ? undefined : words[cwdAt + 1];
  const program = words[words.indexOf("serve") - 1] ?? "";
  const isFile = /[\\/]/.test(program) && program !== command && isPlain(program);
  return [
    ...(isPlain(command) && !isCommand(command, folder, { env, platform }) ? [`the command ${command}`] : []),
    ...(isFile && !existsSync(resolve(folder, program)) ? [`the file ${program}`] : []),
    ...(cwd !== undefined && isPlain(cwd) && !existsSync(resolve(folder, cwd)) ? [`the folder ${cwd}`] : []),
  ];
}

function isCommand(
  command: string,
  folder: string,
  { env, platform }: Pick<ClientPlaces, "env" | "platform">,
): boolean {
  if (isAbsolute(command) || dirname(command) !== ".") return isExecutable(resolve(folder, command));
  const endings = platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((path) => path !== "");
  return folders.some((path) => endings.some((ending) => isExecutable(join(path, command + ending))));
}
