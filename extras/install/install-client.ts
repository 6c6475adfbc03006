import { loadConfig } from "../../engine/load-config.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config } from "../../schemas/config/config.ts";
import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { DEFAULT_TOOL_NAME } from "../../schemas/config/serve-settings.ts";
import { clientUnknown, optionInvalid } from "../../schemas/errors.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import {
  CLIENT_IDS,
  type ClientFile,
  type ClientId,
  type ClientPlaces,
  type ClientScope,
  listClientFiles,
} from "../../engine/project/clients/client-files.ts";
import type { ClientEntry } from "./client-entry.ts";
import { CLIENTS, toLocalEntry, toRemoteEntry } from "./clients.ts";
import { type InstalledProgram, makeCommand } from "./find-launcher.ts";
import { homedir } from "node:os";
import type { CommandContext, OptionValues } from "../../cli/command.ts";

/** What to install, and where. */
export interface InstallPlan {
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
  /** The environment variable with the token of that address. */
  tokenVariable?: string | undefined;
  /** As configured; undefined where the configuration leaves it to the client. */
  toolName: string | undefined;
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
export function planInstall(choice: InstallChoice, places: ClientPlaces, launcher: InstalledProgram): InstallPlan {
  const file = chooseFile(choice, places);
  const { format } = file;
  const { name, url, tokenVariable } = choice;
  if (url !== undefined) {
    const value = toRemoteEntry(choice.client, { name, format, url, tokenVariable });
    if (value === undefined) {
      throw optionInvalid(
        "--http",
        `${file.client} accepts no URLs in its file; add the URL in its settings under Connectors`,
      );
    }
    return { file, entry: { format, name, value }, words: [] };
  }
  const words = makeWords(choice, file.scope, places, launcher);
  if (words[0] === "cmd" && words.some((word) => SHELL_SIGNS.test(word))) {
    throw optionInvalid("install", "the path of the project has characters that the Windows shell would interpret");
  }
  const [command = "", ...args] = words;
  const value = toLocalEntry(choice.client, { name, format, command, args, variables: choice.variables });
  return { file, entry: { format, name, value }, words };
}

/** `cmd /c` reads these in any word, quoted or not. */
const SHELL_SIGNS = /[&|<>^%!"\r\n]/;

/** The file that takes the entry: the first that is there and that the scope allows. */
export function chooseFile(
  { client, scope }: Pick<InstallChoice, "client" | "scope">,
  places: ClientPlaces,
): ClientFile {
  const files = listClientFiles(places).filter(({ id, isOld }) => id === client && isOld !== true);
  const wanted = scope ?? (files.some((file) => file.scope === "project") ? "project" : "user");
  const candidates = files.filter((file) => file.scope === wanted);
  const file = candidates.find(({ path }) => existsSync(path)) ?? candidates[0];
  if (file === undefined) throw optionInvalid(`--${wanted}`, `${client} has no file of that kind`);
  return file;
}

function makeWords(
  choice: InstallChoice,
  scope: ClientScope,
  places: ClientPlaces,
  launcher: InstalledProgram,
): string[] {
  const { projectWord, usesShell = false } = CLIENTS[choice.client];
  const { folder, platform } = places;
  // With a path of this machine in it, the entry is of no use to others, and may as well name the folder.
  const isShared = scope === "project" && launcher.kind !== "checkout";
  const cwd = isShared ? projectWord : folder;
  return [
    ...makeCommand(launcher, { scope, projectWord, usesShell, platform, node: process.execPath }),
    "serve",
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(choice.configFile === undefined ? [] : ["--config", toShown(folder, choice.configFile)]),
    ...toolNameOption(choice.toolName),
  ];
}

/** Models see the name, and the API of some refuses a dot. */
function toolNameOption(configured: string | undefined): string[] {
  const name = (configured ?? DEFAULT_TOOL_NAME).replaceAll(".", "_");
  return name === configured ? [] : ["--tool-name", name];
}

/** A path inside the project is written relative to it, for everybody who has the project. */
function toShown(folder: string, file: string): string {
  const path = relative(folder, resolve(folder, file));
  const isOutside = path.startsWith("..") || isAbsolute(path);
  return isOutside ? resolve(folder, file) : path.replaceAll("\\", "/");
}

/** Where files of clients are, for a project in this folder. */
export function placesOf(folder: string): ClientPlaces {
  return { folder, home: homedir(), platform: process.platform, env: process.env };
}

/** The name of an entry (`--name`). */
export function readEntryName(options: OptionValues): string {
  const name = options.text("name") ?? "codemode";
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) {
    throw optionInvalid("--name", "use a letter, then up to 31 letters, digits, dashes or underscores");
  }
  return name;
}

/** Whose file is meant (`--project`, `--user`); undefined where that is left to the client. */
export function readScope(options: OptionValues): ClientScope | undefined {
  if (options.has("project") && options.has("user")) throw optionInvalid("--project", "it excludes --user");
  if (options.has("project")) return "project";
  return options.has("user") ? "user" : undefined;
}

/** Undefined where there is no configuration. */
export async function loadConfigIfPresent(context: CommandContext): Promise<Config | undefined> {
  try {
    return await loadConfig(context);
  } catch (error) {
    if (error instanceof CodemodeError && error.code === "CONFIG_MISSING") return undefined;
    throw error;
  }
}
