import { join } from "node:path";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../../schemas/json/json.ts";

/** The command and its arguments, which some write as one list, and one as an object with a path. */
export function commandOf(entry: JsonObject): string[] {
  const { command, args } = toCommonForm(entry);
  if (typeof command === "string") return [command, ...listOf(args)];
  if (Array.isArray(command)) return listOf(command);
  if (command === undefined || !isJsonObject(command)) return [];
  const path = ownValue(command, "path");
  return typeof path === "string" ? [path, ...listOf(ownValue(command, "args"))] : [];
}

/** What clients call the address of a remote server. */
const URL_KEYS = ["url", "httpUrl", "serverUrl", "baseUrl"];

/** The address of a remote server; undefined for one that is started. */
export function urlOf(entry: JsonObject): string | undefined {
  const common = toCommonForm(entry);
  return URL_KEYS.map((key) => ownValue(common, key)).find((text) => typeof text === "string");
}

/** An entry with the keys that most clients share: Cline's transport made flat, the words of goose and of Continue's YAML replaced. */
export function toCommonForm(entry: JsonObject): JsonObject {
  const [transport, request] = [ownValue(entry, "transport"), ownValue(entry, "requestOptions")];
  const common = { ...entry, ...objectOf(transport), ...objectOf(request) };
  const [cmd, uri, envs, keys] = ["cmd", "uri", "envs", "env_keys"].map((key) => ownValue(entry, key));
  const named = Object.fromEntries(listOf(keys).map((name) => [name, `\${${name}}`]));
  return {
    ...common,
    ...withoutUndefined({
      command: cmd,
      url: uri,
      env: envs === undefined && keys === undefined ? undefined : { ...objectOf(envs), ...named },
    }),
  };
}

/** What clients and registries write in `type` or `transport` for the transports that codemode knows. */
const TYPES = new Map([
  ["streamable-http", "http"],
  ["streamableHttp", "http"],
  ["streamable_http", "http"],
  ["http-stream", "http"],
  ["local", "stdio"],
]);

/** An entry of the configuration that was pasted from a client, in the configuration's own words. What has no other word stays, to be checked. */
export function toOwnWords(entry: JsonObject): JsonObject {
  const { httpUrl, serverUrl, baseUrl, transport, type, env, ...rest } = entry;
  const url = [httpUrl, serverUrl, baseUrl].find((text) => typeof text === "string");
  const written = type ?? transport;
  const isRemote = url !== undefined || typeof rest["url"] === "string";
  const named = written === "remote" && isRemote ? "http" : (TYPES.get(String(written)) ?? written);
  return {
    ...withoutUndefined({ type: named, env: env !== undefined && isJsonObject(env) ? textsOf(env) : env }),
    ...rest,
    ...withoutUndefined({ url: rest["url"] ?? url }),
  };
}

/** Numbers and switches of an environment are meant as text. */
function textsOf(values: JsonObject): JsonObject {
  return toJsonObject(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    ]),
  );
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const OWN_PROGRAM = join(import.meta.dirname, "..", "..", "..", "cli", "main.js");
const OWN_NAME = /(?:^|[\\/])(?:codemode(?:@[^\\/]+|\.cmd)?|codemode[\\/]dist[\\/]cli[\\/]main\.js)$/;

/** Tells whether a command starts `codemode serve`, in any of the ways in which `codemode install` writes it. */
export function isOwnCommand(words: readonly string[]): boolean {
  return words.some((word, at) => words[at + 1] === "serve" && (word === OWN_PROGRAM || OWN_NAME.test(word)));
}
