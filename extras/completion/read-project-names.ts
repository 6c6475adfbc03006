import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findConfiguration } from "@codemode/runtime/find-configuration";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { assignServerIds } from "../../schemas/lock/server-ids.ts";

/** A word that a shell may complete. */
export interface Suggestion {
  word: string;
  description?: string | undefined;
}

/** The names of a project that stand on command lines. */
export interface ProjectNames {
  /** Ids of servers, configured or locked. */
  servers: readonly string[];
  /** Locked tools as SERVER/TOOL. */
  tools: readonly Suggestion[];
  scripts: readonly Suggestion[];
}

/**
 * Reads names from configuration and lockfile without other checks, because the user is waiting. An unreadable file has no names.
 * @param values the values of `--cwd` and `--config` as typed
 */
export function readProjectNames(values: ReadonlyMap<string, string>): ProjectNames {
  const cwd = resolve(expandHome(values.get("--cwd") ?? "."));
  const named = values.get("--config");
  const file = named === undefined ? findConfiguration(cwd).file : resolve(cwd, expandHome(named));
  const folder = file === undefined ? cwd : dirname(file).replace(/[\\/]\.(cursor|vscode)$/, "");
  const config = (file === undefined ? undefined : readJson(file)) ?? {};
  const locked = entriesOf(readJson(join(folder, "codemode.lock.json")) ?? {}, "servers");
  const configured = [...entriesOf(config, "mcpServers"), ...entriesOf(config, "servers")].map(([name]) => name);
  return {
    servers: [...new Set([...assignServerIds(configured), ...locked.map(([id]) => id)])],
    tools: locked.flatMap(([id, server]) => toolNamesOf(server).map((name) => ({ word: `${id}/${name}` }))),
    scripts: entriesOf(config, "scripts").map(([word, entry]) => ({ word, ...descriptionOf(entry) })),
  };
}

function toolNamesOf(server: JsonValue): string[] {
  const lists = isJsonObject(server) ? ["tools", "resources", "prompts"].map((list) => ownValue(server, list)) : [];
  return lists
    .filter(Array.isArray)
    .flat()
    .flatMap((tool: JsonValue) => {
      const name = isJsonObject(tool) ? ownValue(tool, "name") : undefined;
      return typeof name === "string" ? [name] : [];
    });
}

function descriptionOf(entry: JsonValue): { description?: string | undefined } {
  const description = isJsonObject(entry) ? ownValue(entry, "description") : undefined;
  return typeof description === "string" ? { description } : {};
}

function entriesOf(object: JsonObject, key: string): [string, JsonValue][] {
  const value = ownValue(object, key);
  return value !== undefined && isJsonObject(value) ? Object.entries(value) : [];
}

function readJson(file: string): JsonObject | undefined {
  try {
    const value = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The shell has not yet done so when it asks. */
function expandHome(path: string): string {
  return path.replace(/^~(?=$|[\\/])/, homedir());
}
