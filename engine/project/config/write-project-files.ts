import { join } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { DEFAULTS, type ServerEntry } from "../../../schemas/config/config-file.ts";
import { configExists, serverExists } from "../../../schemas/errors.ts";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import { removeJsonProperty } from "../../../schemas/json/remove-json-property.ts";
import { applyEdits, modify, parse } from "jsonc-parser";
import { readMarkedText, readTextIfPresent, writeAtomically } from "../files.ts";

const CONFIG_NAME = "codemode.config.json";
/** A new project asks before it destroys, and as MCP has it that is every tool whose server says nothing else. */
export const NEW_POLICY = { ask: ["@destructive"] };
const CONFIG_SCHEMA = "./node_modules/codemode/schemas/config.schema.json";

/** Writes a new configuration with these servers; one that is there already is never overwritten. */
export async function writeNewConfig(folder: string, servers: ReadonlyMap<string, ServerEntry>): Promise<string> {
  const file = join(folder, CONFIG_NAME);
  if ((await readTextIfPresent(file)) !== undefined) throw configExists(CONFIG_NAME);
  const config = JSON.stringify({ $schema: CONFIG_SCHEMA, mcpServers: Object.fromEntries(servers) }, null, 2);
  // One line, as a person writes it: without servers the file has five.
  const policy = JSON.stringify(NEW_POLICY).replaceAll(/(?<=[{:])|(?=\})/g, " ");
  const text = `${escapeInvisible(config.slice(0, -2))},\n  "policy": ${policy}\n}\n`;
  await writeAtomically(file, text, { project: folder });
  return file;
}

/** Adds a server to the configuration's own text, whose other lines and order stay as they are. */
export async function addServerToConfig(config: Config, name: string, entry: ServerEntry): Promise<void> {
  const text = await readMarkedText(config.file);
  const { container, servers } = findServers(text);
  if (Object.hasOwn(servers, name)) throw serverExists(name);
  const edits = modify(text, [container, name], entry, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  await writeAtomically(config.file, applyEdits(text, edits), { project: config.folder });
}

/** Whether the file has a server of this name, a disabled one included. */
export async function isConfigured(config: Config, name: string): Promise<boolean> {
  return Object.hasOwn(findServers(await readMarkedText(config.file)).servers, name);
}

/** Takes a server out of the configuration's own text; comments, order and format of the rest stay as they are. */
export async function removeServerFromConfig(config: Config, name: string): Promise<void> {
  const text = await readMarkedText(config.file);
  const rest = removeJsonProperty(text, [findServers(text).container, name]);
  await writeAtomically(config.file, rest, { project: config.folder });
}

/** The object that holds the servers, which VS Code names otherwise. */
function findServers(text: string): { container: "mcpServers" | "servers"; servers: JsonObject } {
  const root = parse(text) as JsonValue;
  const members = isJsonObject(root) ? root : {};
  const isOther = !Object.hasOwn(members, "mcpServers") && Object.hasOwn(members, "servers");
  const container = isOther ? "servers" : "mcpServers";
  const servers = ownValue(members, container);
  return { container, servers: servers !== undefined && isJsonObject(servers) ? servers : {} };
}

/** What follows from other files, what a widely used server leaves in its folder, and the backups of `install --move`, which may hold secrets. */
const IGNORED = ["node_modules/", `${DEFAULTS.out}/`, ".playwright-mcp/", "*.codemode-backup"];

/** Adds to `.gitignore` what it lacks; lines that are there stay, with what they decide. Returns what to tell the user. */
export async function writeGitignore(folder: string): Promise<string> {
  const file = join(folder, ".gitignore");
  const text = await readTextIfPresent(file);
  const decided = new Set((text ?? "").split(/\r?\n/).map(toEntry));
  const missing = IGNORED.filter((line) => !decided.has(toEntry(line)));
  if (missing.length === 0) return ".gitignore stays as it is.";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`;
  await writeAtomically(file, `${before}${missing.join("\n")}\n`, { project: folder });
  return `${text === undefined ? "Wrote" : "Added to"} .gitignore: ${missing.join(", ")}`;
}

/** What a line decides about: `/generated`, `generated/` and `!generated/` are about the same folder. */
function toEntry(line: string): string {
  return line
    .trim()
    .replace(/^!?\/?/, "")
    .replace(/\/\*{0,2}$/, "");
}

/** What lets an editor see a script as codemode does. */
const SCRIPT_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2023",
  lib: ["es2023"],
  // Scripts are bundled: no "type" of a package.json decides what they are, and each may await at its top.
  module: "preserve",
  moduleDetection: "force",
  allowImportingTsExtensions: true,
  types: ["@codemode/sandbox"],
  skipLibCheck: true,
};

/** Writes a `tsconfig.json` for scripts where there is none. Returns what to tell the user. */
export async function writeTsconfig(folder: string): Promise<string> {
  const file = join(folder, "tsconfig.json");
  if ((await readTextIfPresent(file)) !== undefined) {
    return 'tsconfig.json stays as it is. For scripts, it should have: "lib": ["es2023"], "module": "preserve" (or "nodenext" in a package of "type": "module"), "types": ["@codemode/sandbox"].';
  }
  const tsconfig = { compilerOptions: SCRIPT_OPTIONS, exclude: ["node_modules", DEFAULTS.out] };
  await writeAtomically(file, `${JSON.stringify(tsconfig, null, 2)}\n`, { project: folder });
  return "Wrote tsconfig.json, so that editors check scripts as they run.";
}
