import { holdsCredentials, planServerEnvironment } from "@codemode/runtime/server-environment";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ServerConfig, ServerSource } from "../../schemas/config/config.ts";
import { invalidOption, variableUnset } from "../../schemas/errors.ts";
import type { ProtocolEra } from "../../schemas/lock/lockfile.ts";
import { replacePlaceholders } from "../../schemas/config/placeholders.ts";
import { findLiteralSecrets } from "../../schemas/secrets/literal-secrets.ts";
import type { CodemodeError } from "../../schemas/codemode-error.ts";
import type { HttpTarget, OAuthSettings, ServerTarget, StdioTarget } from "./connections/server-target.ts";

export interface ResolveOptions {
  /** The project folder: relative paths belong to it. */
  folder: string;
  env?: NodeJS.ProcessEnv;
  /** As the lockfile has it; the server is asked without it. */
  era?: ProtocolEra | undefined;
}

/** Replaces the placeholders of a server. The result holds secrets: it goes to the connection and nowhere else. */
export function resolveTarget(server: ServerConfig, options: ResolveOptions): ServerTarget {
  const { id, name, source, timeoutMs } = server;
  const secrets = new Map<string, string>();
  const values = {
    env: options.env ?? process.env,
    workspaceFolder: options.folder,
    userHome: homedir(),
    onUsed: (variable: string, value: string) => void secrets.set(variable, value),
  };
  const fill = (text: string): string => replacePlaceholders(text, values, (variable) => variableUnset(name, variable));
  noteInherited(source, values.env, secrets);
  const place = source.transport === "stdio" ? fillProcess(source, fill, options.folder) : fillUrl(source, fill, name);
  return {
    id,
    name,
    timeoutMs,
    ...place,
    ...(options.era === undefined ? {} : { era: options.era }),
    // After everything above was filled in: a variable may stand in an argument or the URL alone.
    secrets: Object.fromEntries(secrets),
    literals: listLiterals(server, place),
  };
}

/** What looks like a secret with all variables filled in: those that stand in the configuration, and parts of values such as the password of an address. */
function listLiterals({ name, notSecret = [] }: ServerConfig, place: FilledPlace): Record<string, string> {
  const source: ServerSource =
    place.transport === "stdio"
      ? { ...place, env: new Map(Object.entries(place.env)) }
      : { transport: place.transport, url: place.url, headers: new Map(Object.entries(place.headers)) };
  const literals = new Map<string, string>();
  for (const { place: at, value, parts } of findLiteralSecrets({ name, source, notSecret })) {
    for (const text of [value, ...parts]) {
      let own = at;
      for (let count = 2; literals.has(own); count += 1) own = `${at} ${count}`;
      literals.set(own, text);
    }
  }
  return Object.fromEntries(literals);
}

/** Where a server is, all placeholders replaced. */
type FilledPlace =
  | Pick<StdioTarget, "transport" | "command" | "args" | "env" | "cwd">
  | Pick<HttpTarget, "transport" | "url" | "headers" | "oauth">;
/** What a program gets as it is: what the configuration names, and addresses of proxies that hold a password. */
function noteInherited(source: ServerSource, env: NodeJS.ProcessEnv, secrets: Map<string, string>): void {
  if (source.transport !== "stdio") return;
  const inherited = planServerEnvironment({}, source.inheritEnv, { env });
  for (const [name, value] of Object.entries(inherited)) {
    if (source.inheritEnv?.includes(name) === true || holdsCredentials(value)) secrets.set(name, value);
  }
}

type Fill = (text: string) => string;

function fillProcess(
  source: ServerSource & { transport: "stdio" },
  fill: Fill,
  folder: string,
): Pick<StdioTarget, "transport" | "command" | "args" | "env" | "inheritEnv" | "cwd"> {
  return {
    transport: "stdio",
    command: fill(source.command),
    args: source.args.map(fill),
    env: fillValues(source.env, fill),
    inheritEnv: source.inheritEnv ?? [],
    cwd: resolve(folder, fill(source.cwd ?? ".")),
  };
}

function fillUrl(
  source: ServerSource & { transport: "http" | "sse" },
  fill: Fill,
  serverName: string,
): Pick<HttpTarget, "transport" | "url" | "headers" | "oauth"> {
  const url = fill(source.url);
  if (!isHttpUrl(url)) throw invalidServer(serverName, '"url" is not an absolute http: or https: URL');
  const headers = fillValues(source.headers, fill);
  for (const [header, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(header)) throw invalidServer(serverName, `"${header}" cannot be the name of a header`);
    // Without the value: it may be a secret.
    if (!HEADER_VALUE.test(value)) throw invalidServer(serverName, `the value of header "${header}" cannot be sent`);
  }
  const oauth = Object.entries(source.oauth ?? {}).map(([key, value]) => [key, fill(String(value))]);
  return {
    transport: source.transport,
    url,
    headers,
    ...(oauth.length === 0 ? {} : { oauth: Object.fromEntries(oauth) as OAuthSettings }),
  };
}

function fillValues(values: ReadonlyMap<string, string>, fill: Fill): Record<string, string> {
  return Object.fromEntries([...values].map(([key, value]) => [key, fill(value)]));
}

/** RFC 9110, section 5.6.2 and 5.5; `fetch` takes no character beyond Latin-1. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  // `fetch` refuses credentials in a URL; they belong into a header.
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function invalidServer(serverName: string, problem: string): CodemodeError {
  return invalidOption(`server "${serverName}"`, problem);
}
