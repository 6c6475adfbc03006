// Files of variables that a configuration names (`envFile`). codemode's host reads the same ones through `@codemode/runtime/connections/env-files`.

import { constants, closeSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { replacePlaceholders } from "./placeholders.ts";

/** Names and values of a file. They are credentials: no message has one. */
export type FileVariables = Readonly<Record<string, string>>;

/** Which files a configuration names, as written, and the project folder to which relative paths belong. */
export interface EnvFilePlace {
  folder: string;
  envFile?: readonly string[] | undefined;
}

/** A file that the configuration names. */
export interface EnvFile {
  /** Its real path, all links followed. */
  path: string;
  /** It is not in the project folder: only the account can say that it may be read. */
  isOutside: boolean;
}

/** A file of variables that cannot be used. */
export class EnvFileProblem extends Error {
  /** The path, and the number of the line where one is wrong. */
  readonly place: string;
  /** In words, for the end of a sentence, without a value. */
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = "EnvFileProblem";
    this.place = place;
    this.problem = problem;
  }
}

/** In bytes. */
const LARGEST_FILE = 256 * 1024;

/** By the list in the configuration that names the files: what was approved, masked and handed over is from one look at them. */
const read = new WeakMap<readonly string[], Map<string, FileVariables>>();

/** Where the files of a list are. Throws `EnvFileProblem` for a path with a variable that is not set. */
export function locateEnvFiles({ folder, envFile = [] }: EnvFilePlace): EnvFile[] {
  const values = { env: process.env, workspaceFolder: folder, userHome: homedir() };
  return envFile.map((written) => {
    const filled = replacePlaceholders(
      written.replace(/^~(?=[\\/])/, () => homedir()),
      values,
      (name) => new EnvFileProblem(written, `the variable ${name} in its path is not set`),
    );
    const path = realPathOf(resolve(folder, filled));
    return { path, isOutside: !isInside(realPathOf(folder), path) };
  });
}

/**
 * The variables of all files of a list; of one name the last counts. They are read once for each configuration that was loaded.
 * @param isWanted which of the files; all unless given
 * @throws EnvFileProblem
 */
export function readEnvFiles(place: EnvFilePlace, isWanted: (file: EnvFile) => boolean = () => true): FileVariables {
  const { envFile } = place;
  if (envFile === undefined) return {};
  const known = read.get(envFile) ?? new Map<string, FileVariables>();
  read.set(envFile, known);
  const parts = locateEnvFiles(place)
    .filter(isWanted)
    .map(({ path }) => {
      const variables = known.get(path) ?? readEnvFile(path);
      known.set(path, variables);
      return variables;
    });
  return Object.assign({}, ...parts) as FileVariables;
}

/** The environment comes first. An empty variable does not: clients hand one over in the place of a variable that they do not have. */
export function underEnvironment(files: FileVariables, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const set = Object.entries(env).filter(([name, value]) => value !== "" || !Object.hasOwn(files, name));
  return { ...files, ...Object.fromEntries(set) };
}

function readEnvFile(path: string): FileVariables {
  const bytes = readBytes(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new EnvFileProblem(`${path}:${lineOfBadBytes(bytes)}`, "the line is not UTF-8");
  }
  return parseEnvText(text, path);
}

function readBytes(path: string): Buffer {
  try {
    // An open of a pipe would wait for a writer.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw new EnvFileProblem(path, "it is a folder, a device or a pipe, and must be a file");
      if (stats.size > LARGEST_FILE)
        throw new EnvFileProblem(path, `it has more than ${LARGEST_FILE / 1024} KiB, which is no file of variables`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof EnvFileProblem) throw error;
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new EnvFileProblem(path, code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`);
  }
}

function lineOfBadBytes(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from <= bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    const part = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (!part.equals(Buffer.from(part.toString("utf8")))) return line;
    if (end < 0) break;
    from = end + 1;
  }
  return 1;
}

/** `NAME=value`, also after `export`. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/;
/** What may stand behind a closing quote. */
const REST = /^[ \t]*(?:#.*)?$/;

/**
 * Reads the lines of a file of variables. Node reads the values (`util.parseEnv`), one at a time: of a whole text it takes a line that is
 * none into the next name, and a quote that does not end into all that follows.
 * @throws EnvFileProblem which names the line
 */
export function parseEnvText(text: string, path: string): FileVariables {
  const lines = text.split(/\r\n|\n|\r/);
  const variables: [string, string][] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    const fail = (problem: string): EnvFileProblem => new EnvFileProblem(`${path}:${at + 1}`, problem);
    if (line.includes("\0")) throw fail("the line has a zero byte");
    const match = ASSIGNMENT.exec(line);
    if (match === null) throw fail("the line is not NAME=value");
    const [whole, name = ""] = match;
    let value = line.slice(whole.length);
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote !== undefined) {
      const quoted = readQuoted(lines, at, value, quote);
      if (quoted === undefined) throw fail(`the value of ${name} begins with a quote that does not end`);
      if (!REST.test(quoted.rest)) throw fail(`something follows the closing quote of ${name}`);
      if (quoted.text.includes("\0")) throw fail(`the value of ${name} has a zero byte`);
      value = quoted.text;
      at = quoted.end;
    }
    variables.push([name, parseEnv(`VALUE=${value}\n`)["VALUE"] ?? ""]);
  }
  return Object.fromEntries(variables);
}

/** A value with its quotes, and the line where it ends. Each line is searched once: a file of short lines would take quadratic time. */
function readQuoted(
  lines: readonly string[],
  at: number,
  first: string,
  quote: string,
): { text: string; rest: string; end: number } | undefined {
  const parts: string[] = [];
  for (let end = at; end < lines.length; end += 1) {
    const part = end === at ? first : (lines[end] as string);
    const close = part.indexOf(quote, end === at ? 1 : 0);
    parts.push(close < 0 ? part : part.slice(0, close + 1));
    if (close >= 0) return { text: parts.join("\n"), rest: part.slice(close + 1), end };
  }
  return undefined;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // there is nothing, so nothing is read
  }
}

function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && below !== ".." && !below.startsWith(`..${sep}`);
}
