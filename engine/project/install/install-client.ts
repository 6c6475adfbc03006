import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { clientFileRefused, clientUnknown, optionInvalid } from "../../../schemas/errors.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import {
  CLIENT_IDS,
  type ClientFile,
  type ClientId,
  type ClientPlaces,
  type ClientScope,
  listClientFiles,
} from "../clients/client-files.ts";
import { CONTAINERS } from "../clients/parse-client-file.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";
import { type ClientEntry, MergeRefusal } from "./client-entry.ts";
import { CLIENT_TRAITS } from "./client-traits.ts";
import { type Launcher, makeCommand } from "./find-launcher.ts";
import { mergeJsonEntry } from "./merge-json-entry.ts";
import { mergeTomlEntry, printTomlEntry } from "./merge-toml-entry.ts";

/** What to install, and where. */
export interface InstallPlan {
  client: ClientId;
  file: ClientFile;
  entry: ClientEntry;
  /** The command that the client will start; empty for a server at an address. */
  words: string[];
}

/** How the entry is to start codemode. */
export interface InstallChoice {
  client: ClientId;
  /** The client's project file where it has one, else the user's, unless this says which. */
  scope?: ClientScope | undefined;
  name: string;
  /** The address of a `codemode serve --http`, instead of a command. */
  url?: string | undefined;
  /** The configuration where it was named. */
  configFile?: string | undefined;
  /** As configured. */
  toolName: string;
  /** Environment variables that the servers cannot do without. */
  variables: readonly string[];
}

/** Checks the name of a client. */
export function toClientId(name: string): ClientId {
  const found = CLIENT_IDS.find((id) => id === name.toLowerCase());
  if (found !== undefined) return found;
  const nearest =
    CLIENT_IDS.find((id) => name.length > 2 && id.startsWith(name.toLowerCase())) ?? nearestName(name, CLIENT_IDS);
  throw clientUnknown(name, nearest, CLIENT_IDS);
}

/** Works out the entry and its file; touches no disk but to see which of two files is there. */
export function planInstall(choice: InstallChoice, places: ClientPlaces, launcher: Launcher): InstallPlan {
  const file = chooseFile(choice, places);
  const traits = CLIENT_TRAITS[choice.client];
  const { format } = file;
  if (choice.url !== undefined) {
    const value = traits.toRemote(choice.url);
    if (value === undefined) {
      throw optionInvalid(
        "--http",
        `${file.client} accepts no URLs in its file; add the URL in its settings under Connectors`,
      );
    }
    return { client: choice.client, file, entry: { format, name: choice.name, value }, words: [] };
  }
  const words = makeWords(choice, file.scope, places, launcher);
  if (words[0] === "cmd" && words.some((word) => SHELL_SIGNS.test(word))) {
    throw optionInvalid("install", "the path of the project has characters that the Windows shell would interpret");
  }
  const [command = "", ...args] = words;
  const value = traits.toLocal({ command, args, variables: choice.variables });
  return { client: choice.client, file, entry: { format, name: choice.name, value }, words };
}

/** `cmd /c` reads these in any word, quoted or not. */
const SHELL_SIGNS = /[&|<>^%!"\r\n]/;

function chooseFile({ client, scope }: InstallChoice, places: ClientPlaces): ClientFile {
  const files = listClientFiles(places).filter(({ id }) => id === client);
  const wanted = scope ?? (files.some((file) => file.scope === "project") ? "project" : "user");
  const candidates = files.filter((file) => file.scope === wanted);
  const file = candidates.find(({ path }) => existsSync(path)) ?? candidates[0];
  if (file === undefined) throw optionInvalid(`--${wanted}`, `${client} has no file of that kind`);
  return file;
}

function makeWords(choice: InstallChoice, scope: ClientScope, places: ClientPlaces, launcher: Launcher): string[] {
  const { acceptsDots, projectWord } = CLIENT_TRAITS[choice.client];
  const { folder, platform } = places;
  // With a path of this machine in it, the entry is of no use to others, and may as well name the folder.
  const isShared = scope === "project" && launcher.kind !== "checkout";
  const cwd = isShared ? projectWord : folder;
  return [
    ...makeCommand(launcher, { scope, projectWord, platform, node: process.execPath }),
    "serve",
    ...(cwd === "." ? [] : ["--cwd", cwd]),
    ...(choice.configFile === undefined ? [] : ["--config", toShown(folder, choice.configFile)]),
    ...(acceptsDots || !choice.toolName.includes(".") ? [] : ["--tool-name", choice.toolName.replaceAll(".", "_")]),
  ];
}

/** A path inside the project is written relative to it, for everybody who has the project. */
function toShown(folder: string, file: string): string {
  const path = relative(folder, resolve(folder, file));
  const isOutside = path.startsWith("..") || isAbsolute(path);
  return isOutside ? resolve(folder, file) : path.replaceAll("\\", "/");
}

/** The entry as the client's file would hold it, for `--print`. */
export function printEntry({ format, name, value }: ClientEntry): string {
  const container = CONTAINERS[format];
  if (format === "codex") return printTomlEntry(container, name, value).trimEnd();
  return JSON.stringify({ [container]: { [name]: value } }, null, 2);
}

/**
 * Writes the entry into the client's file. The rest of the file, its mode, and a link to it stay; only the file of a project, which came with
 * the project, may be no link that leads out of it. Resolves to whether anything changed.
 */
export async function writeEntry({ file, entry }: InstallPlan, folder: string, force: boolean): Promise<boolean> {
  const { path } = file;
  await assertNoLoop(path);
  const text = (await readTextIfPresent(path)) ?? "";
  const merge = entry.format === "codex" ? mergeTomlEntry : mergeJsonEntry;
  let merged: string;
  try {
    merged = merge(text, entry, force);
  } catch (error) {
    if (error instanceof MergeRefusal) throw clientFileRefused(path, error.message, error.hint);
    throw error;
  }
  if (merged === text) return false;
  await writeAtomically(path, merged, { project: file.scope === "project" ? folder : undefined });
  return true;
}

async function assertNoLoop(path: string): Promise<void> {
  const problem = await stat(path).catch((error: NodeJS.ErrnoException) => error.code);
  if (problem !== "ELOOP") return;
  throw clientFileRefused(path, "is a symbolic link to itself", "Fix the link; nothing was written.");
}
