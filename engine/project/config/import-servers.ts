import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ServerEntry } from "../../../schemas/config/config.ts";
import { configBroken } from "../../../schemas/errors.ts";
import { type ClientFile, type ClientPlaces, type ClientScope, listClientFiles } from "../clients/client-files.ts";
import { parseClientFile } from "../clients/parse-client-file.ts";
import { readText, readTextIfPresent } from "../files.ts";

/** Servers found in the files of MCP clients. */
export interface ImportedServers {
  servers: Map<string, ServerEntry>;
  /** Which file gave which servers, and which could not be read. */
  sources: { client: string; scope: ClientScope; path: string; names: string[]; problem?: string }[];
}

/** Reads the servers of every client file that exists. A broken file is named and passed over. */
export async function importServers(folder: string, places: Partial<ClientPlaces> = {}): Promise<ImportedServers> {
  const files = listClientFiles({ folder, home: homedir(), platform: process.platform, env: process.env, ...places });
  const found: ImportedServers = { servers: new Map(), sources: [] };
  for (const { client, scope, path, format } of files) {
    const text = await readTextIfPresent(path).catch(() => undefined);
    if (text === undefined) continue;
    try {
      const entries = parseClientFile(text, format);
      const names = [...entries.keys()].filter((name) => !found.servers.has(name));
      for (const name of names) found.servers.set(name, entries.get(name) as ServerEntry);
      if (entries.size > 0) found.sources.push({ client, scope, path, names });
    } catch (error) {
      found.sources.push({ client, scope, path, names: [], problem: (error as Error).message });
    }
  }
  return found;
}

/** Reads the servers of one file that the user named; its name says the format, else its content is taken for JSON. */
export async function importServersFrom(file: string, folder: string): Promise<Map<string, ServerEntry>> {
  const path = resolve(folder, file);
  const text = await readText(path);
  const formats: ClientFile["format"][] = path.endsWith(".toml")
    ? ["codex"]
    : ["mcp-servers", "vscode", "opencode", "zed"];
  try {
    const readings = formats.map((format) => parseClientFile(text, format));
    return readings.find((entries) => entries.size > 0) ?? new Map();
  } catch (error) {
    throw configBroken(file, (error as Error).message);
  }
}
