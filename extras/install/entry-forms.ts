import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ClientFormat } from "../../engine/project/clients/client-files.ts";

/** What a client has to start, and which variables it has to pass on. */
export interface LocalServer {
  /** The name of the entry. */
  name: string;
  format: ClientFormat;
  command: string;
  args: string[];
  variables: readonly string[];
}

/** What a client has to call. */
export interface RemoteServer {
  name: string;
  format: ClientFormat;
  url: string;
  /** The environment variable that holds the bearer token. */
  tokenVariable?: string | undefined;
}

/** How a file refers to a variable of the environment. */
export type Reference = (name: string) => string;

export const inBraces: Reference = (name) => `\${${name}}`;
export const inEnvBraces: Reference = (name) => `\${env:${name}}`;
const inOpencodeBraces: Reference = (name) => `{env:${name}}`;
export const withDollar: Reference = (name) => `$${name}`;
const asSecret: Reference = (name) => `\${{ secrets.${name} }}`;

/** An `env` that refers to variables by name; left out where there are none. */
export function envOf({ variables }: LocalServer, refer: Reference, key = "env"): JsonObject {
  if (variables.length === 0) return {};
  return { [key]: Object.fromEntries(variables.map((name) => [name, refer(name)])) };
}

/** The `headers` with the token's variable; left out where there is none. */
export function headersOf({ tokenVariable }: RemoteServer, refer: Reference): JsonObject {
  return tokenVariable === undefined ? {} : { headers: { Authorization: `Bearer ${refer(tokenVariable)}` } };
}

/** Since Cline 3: the transport is an object, and a variable is one with its name. */
export function toClineLocal({ command, args, variables }: LocalServer): JsonObject {
  const env = Object.fromEntries(variables.map((name) => [name, { fromEnv: name }]));
  return {
    transport: { type: "stdio", command, args },
    ...withoutUndefined({ env: variables.length === 0 ? undefined : env }),
  };
}

/** The project's file is JSON as of Claude Desktop, which Continue translates; the user's is YAML with secrets. */
export function toContinueLocal(server: LocalServer): JsonObject {
  const { name, format, command, args } = server;
  return format === "continue"
    ? { name, type: "stdio", command, args, ...envOf(server, asSecret) }
    : { type: "stdio", command, args, ...envOf(server, inBraces) };
}

export function toContinueRemote(server: RemoteServer): JsonObject {
  const { name, format, url } = server;
  if (format !== "continue") return { type: "http", url, ...headersOf(server, inBraces) };
  const headers = headersOf(server, asSecret);
  return {
    name,
    type: "streamable-http",
    url,
    ...withoutUndefined({ requestOptions: server.tokenVariable === undefined ? undefined : headers }),
  };
}

/** goose passes the variables of `env_keys` on, and fills them into headers. It gives up on a server after `timeout` seconds. */
export function toGooseLocal({ name, command, args, variables }: LocalServer): JsonObject {
  const keys = variables.length === 0 ? {} : { env_keys: [...variables] };
  return { name, type: "stdio", enabled: true, cmd: command, args, ...keys, timeout: 300 };
}

export function toGooseRemote(server: RemoteServer): JsonObject {
  const { name, url, tokenVariable } = server;
  const keys = tokenVariable === undefined ? {} : { env_keys: [tokenVariable] };
  const headers = headersOf(server, inBraces);
  return { name, type: "streamable_http", enabled: true, uri: url, ...headers, ...keys, timeout: 300 };
}

/** opencode, and Kilo Code, which is made from it. */
export function toOpencodeLocal(server: LocalServer): JsonObject {
  const { command, args } = server;
  return { type: "local", command: [command, ...args], ...envOf(server, inOpencodeBraces, "environment") };
}

export function toOpencodeRemote(server: RemoteServer): JsonObject {
  return { type: "remote", url: server.url, ...headersOf(server, inOpencodeBraces) };
}
