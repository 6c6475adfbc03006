import { join } from "node:path";
import type { Config, ServerEntry } from "../../schemas/config.ts";
import { configExists, serverExists } from "../../schemas/errors.ts";
import { escapeInvisible } from "../../schemas/escape-invisible.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json.ts";
import { applyEdits, modify } from "jsonc-parser";
import { readText, readTextIfPresent, writeTextAtomically } from "./files.ts";

const CONFIG_NAME = "codemode.config.json";
const CONFIG_SCHEMA = "./node_modules/codemode/schemas/config.schema.json";

/** Writes a new configuration with these servers; one that is there already is never overwritten. */
export async function writeNewConfig(folder: string, servers: ReadonlyMap<string, ServerEntry>): Promise<string> {
  const file = join(folder, CONFIG_NAME);
  if ((await readTextIfPresent(file)) !== undefined) throw configExists(CONFIG_NAME);
  const config = { $schema: CONFIG_SCHEMA, mcpServers: Object.fromEntries(servers) };
  await writeTextAtomically(file, `${escapeInvisible(JSON.stringify(config, null, 2))}\n`);
  return file;
}

/** Adds a server to the configuration's own text, whose other lines and order stay as they are. */
export async function addServerToConfig(config: Config, name: string, entry: ServerEntry): Promise<void> {
  const text = await readText(config.file);
  const root = JSON.parse(text) as JsonValue;
  const container =
    isJsonObject(root) && !Object.hasOwn(root, "mcpServers") && Object.hasOwn(root, "servers")
      ? "servers"
      : "mcpServers";
  const existing = isJsonObject(root) ? root[container] : undefined;
  if (existing !== undefined && Object.hasOwn(existing as JsonObject, name)) throw serverExists(name);
  const edits = modify(text, [container, name], entry, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  await writeTextAtomically(config.file, applyEdits(text, edits));
}
