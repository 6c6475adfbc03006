import { readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { CodemodeError } from "../errors.ts";
import { type Configuration, toFiles, toServers } from "./configuration.ts";

/** A configuration that was read from a file. */
export interface ProjectConfiguration extends Configuration {
  /** The project folder, to which approvals belong. */
  folder: string;
}

/** Reads the servers of a configuration file. Throws `CodemodeError`. */
export async function readConfiguration(file: string): Promise<ProjectConfiguration> {
  const { mcpServers, servers, drift, inheritEnv, envFile } = (await readJson(file)) as {
    mcpServers?: object;
    servers?: object;
    inheritEnv?: unknown;
    envFile?: unknown;
    drift?: unknown;
  };
  const entries = (mcpServers ?? servers ?? {}) as Record<string, unknown>;
  const folder = projectFolder(file);
  return {
    folder,
    servers: isForeign(file)
      ? toServers(withoutOurselves(entries), folder)
      : toServers(entries, folder, {
          inheritEnv: Array.isArray(inheritEnv) ? inheritEnv.map(String) : [],
          envFile: toFiles(envFile),
        }),
    drift: drift === "refuse" ? "refuse" : "warn",
  };
}

/** As the host reads one. */
const MAX_BYTES = 32 * 1024 * 1024;

async function readJson(file: string): Promise<object> {
  let problem = "it is not a JSON object";
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Error("it is a device or a pipe, not a file");
    if (found.size > MAX_BYTES) throw new Error("it is larger than 32 MiB");
    // It takes off the byte order mark that editors on Windows write.
    const value = JSON.parse(new TextDecoder().decode(await readFile(file))) as unknown;
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    problem = (error as Error).message;
  }
  throw new CodemodeError(`The configuration ${file} cannot be read: ${problem}`, { hint: "Fix the file." });
}

/** Files of MCP clients often start codemode itself, which has no id then; in its own file every entry has one. */
function withoutOurselves(entries: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, entry]) => !startsOurselves(entry)));
}

const OWN_NAME = /(?:^|[\\/])(?:codemode(?:@[^\\/]+|\.cmd)?|codemode[\\/]dist[\\/]cli[\\/]main\.js)$/;

function startsOurselves(entry: unknown): boolean {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].map(String);
  return words.some((word, at) => words[at + 1] === "serve" && OWN_NAME.test(word));
}

/** Whether another client's rules apply to the file. */
function isForeign(file: string): boolean {
  return /[\\/](?:\.mcp|\.(?:cursor|vscode)[\\/]mcp)\.json$/.test(file);
}

/** Other clients' files lie in a folder of the client, one below the project. */
function projectFolder(file: string): string {
  const folder = dirname(file);
  return [".cursor", ".vscode"].includes(basename(folder)) ? dirname(folder) : folder;
}
