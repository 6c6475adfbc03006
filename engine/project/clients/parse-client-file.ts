import { parse as parseJsonc, type ParseError, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import type { ServerEntry } from "../../../schemas/config/config.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../../schemas/json/json.ts";
import type { ClientFormat } from "./client-files.ts";
import { commandOf } from "./command-of.ts";
import { isOwnCommand } from "./is-own-command.ts";

/** Reads the servers of a client's file, in our form; placeholders become `${NAME}`. Throws where the syntax is broken. */
export function parseClientFile(text: string, format: ClientFormat): Map<string, ServerEntry> {
  return new Map(
    listClientEntries(text, format).flatMap(([name, value]) => {
      const entry = toEntry(value);
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  );
}

/** The entries of a client's file as it has them, ours too. Throws where the syntax is broken. */
export function listClientEntries(text: string, format: ClientFormat): [name: string, entry: JsonObject][] {
  const root = format === "codex" ? (parseToml(text) as unknown as JsonObject) : parseCommentedJson(text);
  return Object.entries(serversOf(root, format)).flatMap(([name, value]) =>
    isJsonObject(value) ? [[name, value]] : [],
  );
}

function parseCommentedJson(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value = parseJsonc(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true }) as JsonValue | undefined;
  const [error] = errors;
  if (error !== undefined) throw new Error(`${printParseErrorCode(error.error)} at offset ${error.offset}`);
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** The key under which each form keeps its servers. */
export const CONTAINERS: Record<ClientFormat, string> = {
  codex: "mcp_servers",
  gemini: "mcpServers",
  "mcp-servers": "mcpServers",
  opencode: "mcp",
  vscode: "servers",
  zed: "context_servers",
};

function serversOf(root: JsonObject, format: ClientFormat): JsonObject {
  const found = ownValue(root, CONTAINERS[format]) ?? {};
  if (!isJsonObject(found)) return {};
  // The second form of opencode keeps them one level deeper.
  const nested = format === "opencode" ? ownValue(found, "servers") : undefined;
  return nested !== undefined && isJsonObject(nested) ? nested : found;
}

/** What clients call the address of a remote server. */
const URL_KEYS = ["url", "httpUrl", "serverUrl", "baseUrl"];

/** The address of a remote server; undefined for one that is started. */
export function urlOf(entry: JsonObject): string | undefined {
  return URL_KEYS.map((key) => ownValue(entry, key)).find((text) => typeof text === "string");
}

function toEntry(value: JsonObject): ServerEntry | undefined {
  const isDisabled = ownValue(value, "disabled") === true || ownValue(value, "enabled") === false;
  const disabled = isDisabled ? { disabled: true } : {};
  const url = urlOf(value);
  if (url !== undefined) {
    const headers = stringsOf(ownValue(value, "headers") ?? ownValue(value, "http_headers"));
    const fromEnv = mapStrings(stringsOf(ownValue(value, "env_http_headers")), (name) => `\${${name}}`);
    const bearer = ownValue(value, "bearer_token_env_var");
    const authorization = typeof bearer === "string" ? { Authorization: `Bearer \${${bearer}}` } : {};
    const all = { ...mapStrings(headers, toPlaceholders), ...fromEnv, ...authorization };
    const type = ownValue(value, "type") === "sse" ? "sse" : "http";
    return { type, url: toPlaceholders(url), ...(Object.keys(all).length === 0 ? {} : { headers: all }), ...disabled };
  }
  const [command, ...args] = commandOf(value);
  // A project that served itself would start itself without end.
  if (command === undefined || isOwnCommand([command, ...args])) return undefined;
  const env = mapStrings(stringsOf(ownValue(value, "env") ?? ownValue(value, "environment")), toPlaceholders);
  const cwd = ownValue(value, "cwd");
  return {
    command: toPlaceholders(command),
    args: args.map(toPlaceholders),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(typeof cwd === "string" ? { cwd: toPlaceholders(cwd) } : {}),
    ...disabled,
  };
}

/** Numbers and switches in `env` are meant as text. */
function stringsOf(value: JsonValue | undefined): { [name: string]: string } {
  if (value === undefined || !isJsonObject(value)) return {};
  return toJsonObject(Object.entries(value).map(([name, item]) => [name, String(item)])) as { [name: string]: string };
}

function mapStrings(values: { [name: string]: string }, change: (text: string) => string): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, change(text)]));
}

/** `$NAME`, `{env:NAME}` and `${input:name}` in our form; a question to the user becomes a variable in capitals. */
function toPlaceholders(text: string): string {
  return text
    .replace(/\{env:([A-Za-z_]\w*)\}/g, (match, name: string, at: number) =>
      text[at - 1] === "$" ? match : `\${${name}}`,
    )
    .replace(/\$\{input:([^}]+)\}/g, (_, id: string) => `\${${id.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}}`)
    .replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);
}
