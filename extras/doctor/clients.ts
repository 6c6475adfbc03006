import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { type ClientFile, type ClientPlaces, listClientFiles } from "../../engine/project/clients/client-files.ts";
import { commandOf, urlOf } from "../../engine/project/clients/entry-parts.ts";
import { isOwnCommand } from "../../engine/project/clients/entry-parts.ts";
import { findOldServers, type OldServers } from "../../engine/project/clients/old-servers.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";
import { isExecutable } from "../../runtime/files/is-executable.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { type Finding, info, ok, printSome, problem, toFinding, type FoundState, warning } from "./doctor-report.ts";

/** A file of a client that is there, and what it has of codemode. */
interface ClientFacts {
  file: ClientFile;
  /** Why it cannot be read; absent where it can. */
  failure?: string | undefined;
  entries: ClientEntryFacts[];
  /** Servers that codemode serves too, and others that have the name of one. */
  old: Pick<OldServers, "names" | "others">;
}

/** An entry that starts codemode, or calls it at an address. */
interface ClientEntryFacts {
  name: string;
  /** The origin of its address, for one that is called. */
  origin?: string | undefined;
  /** What it needs and this machine has not: a command, a file, a folder. */
  missing: string[];
}

/**
 * Looks into the files of all known clients. Missing files are left out, as are parts of files that have nothing; a client without
 * an entry is no mistake.
 */
export async function lookAtClients(places: ClientPlaces, config: Config | undefined): Promise<Finding[]> {
  const old = config === undefined ? [] : await findOldServers(undefined, config, places);
  const probed = await Promise.all(listClientFiles(places).map((file) => probeFile(file, places, old)));
  const clients = probed.filter((facts) => facts !== undefined);
  const using = new Set(clients.filter(({ entries }) => entries.length > 0).map(({ file }) => file.id));
  const findings = clients.flatMap((facts) => [
    ...(facts.file.isOld === true ? [] : [evaluateClient(facts)]),
    ...(using.has(facts.file.id) ? evaluateOldServers(facts) : []),
  ]);
  if (using.size > 0) return findings;
  const none = info(
    "no client on this machine is set up to use codemode here",
    "`codemode install CLIENT` writes an entry.",
  );
  return [...findings, toFinding("client.none", "entries", none)];
}

/** With both, the agent pays for the tools twice, and calls them past codemode. */
function evaluateOldServers({ file, old: { names: oldServers } }: ClientFacts): Finding[] {
  if (oldServers.length === 0) return [];
  const { id, client, scope, path, within } = file;
  const isShared = scope === "user" && within === undefined;
  const [part, shown] = within === undefined ? [scope, scope] : ["local", "this project"];
  const verdict = warning(
    `the agent still has ${oldServers.length} of its old servers beside codemode, in ${path}: ${printSome(oldServers)}`,
    `Run \`codemode install ${id}${isShared ? " --user" : ""} --move\`; \`codemode uninstall ${id}${isShared ? " --user" : ""}\` puts them back.`,
  );
  const facts = { file: path, servers: oldServers };
  return [toFinding(`client.${id}.${part}.beside`, `${client} (${shown})`, verdict, facts)];
}

function evaluateClient({ file, failure, entries }: ClientFacts): Finding {
  const { id, client, scope, path } = file;
  const judge = (verdict: FoundState, facts?: JsonObject): Finding =>
    toFinding(`client.${id}.${scope}${path.endsWith("c") ? "-jsonc" : ""}`, `${client} (${scope})`, verdict, facts);
  if (failure !== undefined) return judge(warning(`${path}: ${failure}`, "Fix its syntax or its permissions."));
  const facts = { file: path, entries: entries.map(({ name }) => name) };
  if (entries.length === 0) return judge(info(`no entry in ${path}`), facts);
  const missing = entries.flatMap((entry) => entry.missing);
  if (missing.length > 0) {
    const found = `its entry in ${path} names what is not there: ${printSome(missing)}`;
    return judge(problem(found, `Run \`codemode install ${id} --${scope}\` again.`), { ...facts, missing });
  }
  return judge(ok(`${entries.map(describe).join(", ")} in ${path}`), facts);
}

function describe({ name, origin }: ClientEntryFacts): string {
  return origin === undefined ? `"${name}" starts codemode` : `"${name}" calls ${origin}`;
}

const NO_OLD_SERVERS: ClientFacts["old"] = { names: [], others: [] };

/** A file of the account may have a part for one project. */
function isSamePart({ within = [] }: ClientFile, { within: other = [] }: ClientFile): boolean {
  return within.join("\n") === other.join("\n");
}

/** The default name of `codemode install`. */
const OWN_ENTRY = "codemode";

async function probeFile(
  file: ClientFile,
  places: ClientPlaces,
  old: readonly OldServers[],
): Promise<ClientFacts | undefined> {
  try {
    const text = await readTextIfPresent(file.path);
    if (text === undefined) return undefined;
    const entries = listClientEntries(text, file).flatMap(([name, entry]) => toFacts(name, entry, places));
    const found = old.find((one) => one.file.path === file.path && isSamePart(one.file, file));
    return { file, entries, old: found ?? NO_OLD_SERVERS };
  } catch {
    // Parsers quote what they read, and these files may hold tokens.
    return { file, failure: "it cannot be read, or its syntax is broken", entries: [], old: NO_OLD_SERVERS };
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
