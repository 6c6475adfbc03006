import { basename, dirname, join, relative, resolve } from "node:path";
import { findConfiguration } from "@codemode/runtime/find-configuration";
import { type Config, CONFIG_FILES } from "../schemas/config/config.ts";
import type { ConfigFile } from "../schemas/config/config-file.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import { configBroken, configInvalid, configMissing } from "../schemas/errors.ts";
import { asJson, isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../schemas/json/json.ts";
import { removeLeftDrafts } from "../runtime/files/drafts.ts";
import { toConfig } from "../schemas/config/to-config.ts";
import { readPastedEntry } from "./project/clients/entry-limits.ts";
import { explainConfigProblem } from "./project/config/explain-config-problem.ts";
import { readText } from "./project/files.ts";
import { LOCKFILE_NAME } from "./project/lockfile-file.ts";

/** Which configuration is wanted, and whether the user vouches for what it starts. */
export interface ConfigRequest {
  cwd: string;
  configFile?: string | undefined;
  isTrusted?: boolean | undefined;
}

/**
 * Finds, reads and checks the configuration. `configFile` is taken relative to `cwd`; without it, the nearest one is taken that lies in `cwd`
 * or above.
 */
export async function loadConfig(options: ConfigRequest): Promise<Config> {
  const file = findConfigFile(options);
  const shown = relative(options.cwd, file) || file;
  await Promise.all([removeLeftDrafts(file), removeLeftDrafts(join(projectFolder(file), LOCKFILE_NAME))]);
  const text = await readText(file);
  const { written, ignored } = isOwnFormat(file)
    ? withOwnWords(await parse(text, shown))
    : await readForeign(text, file, shown);
  const config = await checkConfig(written as unknown as ConfigFile, file, shown);
  return { ...config, isTrusted: options.isTrusted ?? false, ignoredKeys: ignored };
}

/**
 * Checks a configuration and fills in its defaults.
 * @param file where it stands or would stand: relative paths and the lockfile belong to its folder
 * @param shown how errors name it
 */
export async function checkConfig(content: ConfigFile, file: string, shown: string = basename(file)): Promise<Config> {
  const problem = await explainConfigProblem(content);
  if (problem !== undefined) throw configInvalid(shown, problem.cause, problem.hint);
  // A member of a program's object that is undefined says nothing: it goes, as in JSON text.
  return toConfig(JSON.parse(JSON.stringify(content)) as ConfigFile, file, projectFolder(file));
}

/** The file that `loadConfig` reads. */
export function findConfigFile({ cwd, configFile }: { cwd: string; configFile?: string | undefined }): string {
  if (configFile !== undefined) return resolve(cwd, configFile);
  const { file, refused } = findConfiguration(resolve(cwd));
  if (file === undefined) throw configMissing(cwd, CONFIG_FILES, refused);
  return file;
}

async function parse(text: string, shown: string): Promise<JsonValue> {
  try {
    const value = JSON.parse(text) as JsonValue;
    // Of a key that is there twice, as after a merge, the parser takes the last: a rule of the first would be gone in silence.
    if (countKeys(value) !== countWrittenKeys(text)) await refuseDoubleKeys(text, shown);
    return value;
  } catch (error) {
    if (error instanceof CodemodeError) throw error;
    // The words of the engine quote the text, and give its place as a number of characters.
    const { findJsonError } = await import("./project/config/find-json-error.ts");
    const found = findJsonError(text);
    if (found === undefined) throw configBroken(shown, (error as Error).message);
    throw configBroken(`${shown}:${found.line}:${found.column}`, found.words);
  }
}

async function refuseDoubleKeys(text: string, shown: string): Promise<void> {
  const { findDoubleKey } = await import("./project/config/find-json-error.ts");
  const found = findDoubleKey(text);
  if (found === undefined) return;
  const { key, first, second } = found;
  throw configInvalid(
    `${shown}:${second.line}:${second.column}`,
    `the key ${JSON.stringify(key)} is there twice, in line ${first.line} too`,
    "Keep one of them, with what both say.",
  );
}

function countKeys(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countKeys(item), 0);
}

/** Of a text that is JSON: the strings with a colon after them. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    while (BLANKS.has(text[at] ?? "")) at += 1;
    if (text[at] === ":") count += 1;
  }
  return count;
}

/** The blanks of JSON (RFC 8259, section 2). A byte order mark is taken off before. */
const BLANKS: ReadonlySet<string> = new Set([" ", "\t", "\n", "\r"]);

/** Other clients' files sit in a folder of the client, one below the project. */
export function projectFolder(file: string): string {
  const folder = dirname(file);
  return /[\\/]\.(cursor|vscode)$/.test(folder) ? dirname(folder) : folder;
}

function isOwnFormat(file: string): boolean {
  return !/[\\/](\.mcp|\.cursor[\\/]mcp|\.vscode[\\/]mcp)\.json$/.test(file);
}

/** A file in the form of the configuration, and the keys of its entries that mean nothing to codemode, as `server.key`. */
interface WrittenConfig {
  written: JsonValue;
  ignored: string[];
}

/** The configuration with the words of clients in its entries replaced by its own. */
function withOwnWords(parsed: JsonValue): WrittenConfig {
  const servers = isJsonObject(parsed) ? ownValue(parsed, "mcpServers") : undefined;
  if (servers === undefined || !isJsonObject(servers)) return { written: parsed, ignored: [] };
  const read = Object.entries(servers).map(
    ([name, entry]) => [name, isJsonObject(entry) ? readPastedEntry(entry) : { entry, ignored: [] }] as const,
  );
  const mcpServers = toJsonObject(read.map(([name, { entry }]) => [name, entry]));
  return {
    written: { ...(parsed as JsonObject), mcpServers },
    ignored: read.flatMap(([name, { ignored }]) => ignored.map((key) => `${name}.${key}`)),
  };
}

/** The servers of another client's file, as `init` reads them. */
async function readForeign(text: string, file: string, shown: string): Promise<WrittenConfig> {
  const { parseClientFile } = await import("./project/clients/parse-client-file.ts");
  const format = /[\\/]\.vscode[\\/]/.test(file) ? "vscode" : "mcp-servers";
  try {
    const { servers, ignored } = parseClientFile(text, { format });
    return {
      written: { mcpServers: toJsonObject([...servers].map(([name, entry]) => [name, asJson(entry)])) },
      ignored: [...ignored].flatMap(([name, keys]) => keys.map((key) => `${name}.${key}`)),
    };
  } catch (error) {
    throw configBroken(shown, (error as Error).message);
  }
}

/** One line that names the keys of entries that have no effect; none where all have. */
export function warnOfIgnored({ ignoredKeys = [] }: Config): string[] {
  return ignoredKeys.length === 0
    ? []
    : [`warning: keys of other clients that have no effect: ${ignoredKeys.join(", ")}`];
}
