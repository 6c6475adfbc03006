import { withoutMark } from "../../../schemas/text/without-mark.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { parse as parseJsonc, type ParseError, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../../schemas/json/json.ts";
import { type ClientFile, CONTAINERS, languageOf } from "./client-files.ts";
import { commandOf, isOwnCommand, toCommonForm, urlOf } from "./entry-parts.ts";
import { DESCRIBING_KEYS, LIMITING_KEYS, limitsOf, textsIn } from "./entry-limits.ts";

/** Where the servers are in a file, and in which form. */
export type ServersPlace = Pick<ClientFile, "format" | "within">;

/** What a client's file has. */
export interface ParsedClientFile {
  /** Its servers in our form; placeholders are `${NAME}`. */
  servers: Map<string, ServerEntry>;
  /** The names of entries that are no server that codemode can start or call. */
  unread: string[];
  /** By server: the keys of its entry that mean nothing to codemode. */
  ignored: Map<string, string[]>;
}

/** Reads the servers of a client's file, without codemode itself. Throws where the syntax is broken. */
export function parseClientFile(text: string, place: ServersPlace): ParsedClientFile {
  const parsed: ParsedClientFile = { servers: new Map(), unread: [], ignored: new Map() };
  for (const [name, value] of listClientEntries(text, place)) {
    // A project that served itself would start itself without end; and what goose has built in is no MCP server.
    if (isOwnCommand(commandOf(value)) || /^(?:builtin|platform|frontend)$/.test(String(ownValue(value, "type"))))
      continue;
    const entry = toServerEntry(value);
    if (entry === undefined) parsed.unread.push(name);
    else {
      parsed.servers.set(name, entry);
      const ignored = Object.keys(toCommonForm(value)).filter((key) => !READ_KEYS.has(key));
      if (ignored.length > 0) parsed.ignored.set(name, ignored);
    }
  }
  return parsed;
}

/** The entries of a client's file as it has them, ours too. Throws where the syntax is broken. */
export function listClientEntries(text: string, place: ServersPlace): [name: string, entry: JsonObject][] {
  return Object.entries(serversOf(parseText(text, place), place)).map(([name, value]) => [
    name,
    isJsonObject(value) ? value : {},
  ]);
}

function parseText(text: string, { format }: ServersPlace): JsonObject {
  const plain = withoutMark(text);
  const language = languageOf(format);
  if (language === "json") return parseCommentedJson(plain);
  const value = (language === "toml" ? parseToml(plain) : parseYaml(plain)) as JsonValue | null;
  return value !== null && isJsonObject(value) ? value : {};
}

function parseCommentedJson(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true }) as JsonValue | undefined;
  const [error] = errors;
  if (error !== undefined && text.trim() !== "") {
    throw new Error(`${printParseErrorCode(error.error)} at offset ${error.offset}`);
  }
  return value !== undefined && isJsonObject(value) ? value : {};
}

function serversOf(root: JsonObject, { format, within = [] }: ServersPlace): JsonObject {
  const found = [...within, CONTAINERS[format]].reduce<JsonValue | undefined>(
    (at, key) => (at !== undefined && isJsonObject(at) ? ownValue(at, key) : undefined),
    root,
  );
  if (Array.isArray(found)) return byName(found);
  if (found === undefined || !isJsonObject(found)) return {};
  // The second form of opencode keeps them one level deeper.
  const nested = format === "opencode" ? ownValue(found, "servers") : undefined;
  return nested !== undefined && isJsonObject(nested) ? nested : found;
}

/** Continue's YAML has a list of entries with names. */
function byName(list: readonly JsonValue[]): JsonObject {
  return toJsonObject(
    list.flatMap((item) => {
      const name = isJsonObject(item) ? ownValue(item, "name") : undefined;
      return typeof name === "string" ? [[name, item] as const] : [];
    }),
  );
}

/** An entry in our form; undefined for one that neither starts nor calls anything. */
function toServerEntry(value: JsonObject): ServerEntry | undefined {
  const entry = toCommonForm(value);
  const envFile = ownValue(entry, "envFile");
  const files = withoutUndefined({
    envFile: typeof envFile === "string" && envFile !== "" ? toPlaceholders(envFile) : undefined,
  });
  const limits = limitsOf(entry);
  const url = urlOf(value);
  if (url !== undefined) {
    const headers = stringsOf(ownValue(entry, "headers") ?? ownValue(entry, "http_headers"));
    const fromEnv = mapStrings(stringsOf(ownValue(entry, "env_http_headers")), (name) => `\${${name}}`);
    const bearer = ownValue(entry, "bearer_token_env_var");
    const authorization = typeof bearer === "string" ? { Authorization: `Bearer \${${bearer}}` } : {};
    const all = { ...mapStrings(headers, toPlaceholders), ...fromEnv, ...authorization };
    const type = [ownValue(entry, "type"), ownValue(entry, "transport")].includes("sse") ? "sse" : "http";
    return {
      type,
      url: toPlaceholders(url),
      ...withoutUndefined({ headers: Object.keys(all).length === 0 ? undefined : all }),
      ...files,
      ...limits,
    };
  }
  const [command, ...args] = commandOf(value);
  if (command === undefined) return undefined;
  const env = mapStrings(stringsOf(ownValue(entry, "env") ?? ownValue(entry, "environment")), toPlaceholders);
  const cwd = ownValue(entry, "cwd");
  return {
    command: toPlaceholders(command),
    args: args.map(toPlaceholders),
    ...withoutUndefined({
      env: Object.keys(env).length === 0 ? undefined : env,
      cwd: typeof cwd === "string" ? toPlaceholders(cwd) : undefined,
      inheritEnv: textsIn(entry, "env_vars"),
    }),
    ...files,
    ...limits,
  };
}

/** Every key that is read, or that says nothing about the server: its place in a list, its name, its picture. */
const READ_KEYS: ReadonlySet<string> = new Set([
  ...["type", "command", "args", "env", "environment", "cwd", "url", "headers", "http_headers", "env_http_headers"],
  ...["bearer_token_env_var", "env_vars", "envFile", "cmd", "uri", "envs", "env_keys"],
  ...["httpUrl", "serverUrl", "baseUrl", "transport", "requestOptions"],
  ...LIMITING_KEYS,
  ...DESCRIBING_KEYS,
]);

/** Numbers and switches in `env` are meant as text; Cline can name a variable in the place of a value. */
function stringsOf(value: JsonValue | undefined): { [name: string]: string } {
  if (value === undefined || !isJsonObject(value)) return {};
  return toJsonObject(Object.entries(value).map(([name, item]) => [name, textOf(name, item)])) as {
    [name: string]: string;
  };
}

function textOf(name: string, item: JsonValue): string {
  if (!isJsonObject(item)) return String(item);
  const [from, value] = [ownValue(item, "fromEnv"), ownValue(item, "value")];
  const variable = typeof from === "string" ? from : name;
  return typeof value === "string" ? `\${${variable}:-${value}}` : `\${${variable}}`;
}

function mapStrings(values: { [name: string]: string }, change: (text: string) => string): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, change(text)]));
}

/** `$NAME`, `{env:NAME}`, `${{ secrets.NAME }}` and `${input:name}` in our form; a question to the user becomes a variable in capitals. */
function toPlaceholders(text: string): string {
  return text
    .replace(/\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_]\w*)\s*\}\}/g, (_, name: string) => `\${${name}}`)
    .replace(/\{env:([A-Za-z_]\w*)\}/g, (match, name: string, at: number) =>
      text[at - 1] === "$" ? match : `\${${name}}`,
    )
    .replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => `\${${id.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}}`)
    .replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);
}
