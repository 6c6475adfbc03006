import type { ApiDocument } from "../document/parse-document.ts";
import { followObject, type Placed, pointTo } from "../document/pointer.ts";
import { type Json, type JsonObject, objectAt, textAt } from "../json.ts";
import { givesTokens, type LoginScheme } from "../oauth/login-scheme.ts";
import { listTokenVariables, makeTokenLogin } from "../oauth/token-login.ts";
import type { TokenSource } from "../oauth/token-source.ts";
import { OpenApiError, toLine } from "../openapi-error.ts";
import type { TrustedOrigins } from "./api-server.ts";
import { type Environment, PREFIX } from "./environment.ts";
import type { ExchangeLimits } from "./exchange.ts";
import { makeSecrets, type Secrets } from "./secrets.ts";
import { assertHeaderValue } from "./serialize-parameter.ts";

/** One value that a request carries for a login. */
export interface Credential {
  place: "header" | "query" | "cookie";
  name: string;
  value: string;
}

/** What is known of the logins of a document. */
export interface Credentials {
  /** Headers that were given by hand; sent with every request. */
  headers: Credential[];
  /** Values of parameters and fields that were given by hand, by their names in the request. */
  fixed: ReadonlyMap<string, string>;
  /** By the name of the security scheme; only schemes that the environment has values for. */
  schemes: ReadonlyMap<string, Credential[]>;
  /** By the name of the scheme; those whose tokens are fetched when they are needed. */
  tokens: ReadonlyMap<string, TokenSource>;
  /** The environment variables of each scheme, set or not. */
  variables: ReadonlyMap<string, string[]>;
  /** Replaces every secret value in a text. */
  mask: Secrets["mask"];
  /** Replaces every credential in the texts and names of an answer. */
  maskAnswer: Secrets["maskAnswer"];
}

/** Headers for every request, one a line: in the configuration of a client a value does not show in the list of processes. */
const HEADERS_VARIABLE = `${PREFIX}_HEADERS`;
/** Values of arguments, one a line, in the same form. */
const ARGUMENTS_VARIABLE = `${PREFIX}_ARGUMENTS`;

/** What logins are read from. */
export interface LoginContext {
  /** Headers that were given by hand. */
  headers: readonly string[];
  /** Values of arguments that were given by hand, as `NAME: VALUE`. */
  fixed: readonly string[];
  env: Environment;
  /** What the variables of logins begin with. */
  prefix: string;
  /** Where tokens may be fetched; absent where nothing is sent. */
  trust: TrustedOrigins | undefined;
  /** The scopes that the operations ask for, by the name of the scheme. */
  scopes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads headers such as `Authorization: Bearer ${TOKEN}` and the variables of the security schemes. A document names only variables with
 * the prefix: it cannot ask for others.
 */
export function readCredentials(document: ApiDocument, context: LoginContext): Credentials {
  const { env, trust, prefix } = context;
  const secrets = makeSecrets();
  const inEnvironment = linesOf(env[HEADERS_VARIABLE]);
  for (const line of inEnvironment) addHeader(line.split(":", 1)[0] ?? "", line.replace(/^[^:]*:/, ""), secrets);
  const headers = [...inEnvironment, ...context.headers].map((header) => readHeader(header, env, secrets));
  const fixed = new Map(
    [...linesOf(env[ARGUMENTS_VARIABLE]), ...context.fixed].map((line) => readFixed(line, env, secrets)),
  );
  const schemes = new Map<string, Credential[]>();
  const tokens = new Map<string, TokenSource>();
  const variables = new Map<string, string[]>();
  for (const scheme of listSchemes(document.root, prefix)) {
    const { name, definition } = scheme;
    const names = variablesOf(scheme);
    const given = names.map((variable) => readVariable(variable, env)).filter((value) => value !== undefined);
    if (given.length === names.length && names.length > 0) {
      variables.set(name, names);
      // Of a basic login the first is the name of a user.
      given.forEach((value, index) => (given.length > 1 && index === 0 ? secrets.addName(value) : secrets.add(value)));
      schemes.set(name, toCredentials(definition, given, secrets));
      continue;
    }
    const isToken = givesTokens(definition);
    const asked = context.scopes.get(name) ?? [];
    const login = isToken && trust ? makeTokenLogin(scheme, asked, trust, env, secrets) : undefined;
    if (login !== undefined) tokens.set(name, login.source);
    variables.set(name, login?.variables ?? [...names, ...(isToken ? listTokenVariables(scheme) : [])]);
  }
  return { headers, fixed, schemes, tokens, variables, mask: secrets.mask, maskAnswer: secrets.maskAnswer };
}

function linesOf(text: string | undefined): string[] {
  return (text ?? "").split("\n").filter((line) => line.trim() !== "");
}

/** The logins that a document describes. `apiKey` has the variable `OPENAPI_API_KEY`. */
export function listSchemes(root: JsonObject, prefix: string): LoginScheme[] {
  const defined = objectAt(objectAt(root, "components") ?? {}, "securitySchemes") ?? {};
  return Object.entries(defined).flatMap(([name, definition]) => {
    if (definition === undefined) return [];
    const scheme = followScheme(root, definition, pointTo("#/components/securitySchemes", name));
    if (scheme === undefined) return [];
    const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(/[^A-Za-z0-9]+/g, "_");
    const variable = `${prefix}_${words.toUpperCase().replaceAll(/^_|_$/g, "")}`;
    return [{ name, variable, definition: scheme.value, pointer: scheme.pointer }];
  });
}

/** A scheme that cannot be read is no login; the others are. */
function followScheme(root: JsonObject, definition: Json, pointer: string): Placed<JsonObject> | undefined {
  try {
    return followObject(root, definition, pointer, "a security scheme");
  } catch {
    return undefined;
  }
}

/** A basic login has two, with `_USERNAME` and `_PASSWORD`. */
function variablesOf({ variable, definition }: LoginScheme): string[] {
  const isBasic = textAt(definition, "type") === "http" && textAt(definition, "scheme")?.toLowerCase() === "basic";
  if (isBasic) return [`${variable}_USERNAME`, `${variable}_PASSWORD`];
  return textAt(definition, "type") === "mutualTLS" ? [] : [variable];
}

/**
 * The value of a variable. The secret of a client whose token address a person gave is for that address: a scheme that is called as its
 * variable would send it to the API.
 */
function readVariable(variable: string, env: Environment): string | undefined {
  const [, client] = /^(.+)_(?:CLIENT_SECRET|REFRESH_TOKEN(?:_FILE)?)$/.exec(variable) ?? [];
  if (client !== undefined && env[`${client}_TOKEN_URL`]) return undefined;
  return env[variable] || undefined;
}

function toCredentials(scheme: JsonObject, values: string[], secrets: Secrets): Credential[] {
  const [first = "", second = ""] = values;
  const place = textAt(scheme, "in");
  if (textAt(scheme, "type") === "apiKey") {
    const name = textAt(scheme, "name") ?? "";
    if (place === "query" || place === "cookie" || (place === "header" && isHeaderName(name)))
      return [checked({ place, name, value: first })];
    return [];
  }
  const isBasic = values.length === 2;
  const encoded = isBasic ? Buffer.from(`${first}:${second}`).toString("base64") : first;
  secrets.add(encoded);
  return [checked({ place: "header", name: "Authorization", value: `${isBasic ? "Basic" : "Bearer"} ${encoded}` })];
}

/** Whether a person or a document may name this header. */
export function isHeaderName(name: string): boolean {
  // What the message itself needs is not for a document to set.
  return (
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
    !/^(?:host|content-length|transfer-encoding|connection|te|upgrade)$/i.test(name)
  );
}

function checked(credential: Credential): Credential {
  if (credential.place === "header") assertHeaderValue(credential.name, credential.value);
  return credential;
}

function readHeader(header: string, env: Environment, secrets: Secrets): Credential {
  const [, name = "", text = ""] = /^([^:]+):\s*(.*)$/s.exec(header) ?? [];
  if (!isHeaderName(name.trim())) {
    throw new OpenApiError("COMMAND_INVALID", "a header is not valid", "Write it as --header 'Name: value'.");
  }
  const value = fillIn(name, "header", text, env, secrets);
  // A header that was written out is as secret as one from a variable.
  if (CREDENTIAL_NAME.test(name)) addHeader(name, value, secrets);
  return checked({ place: "header", name: name.trim(), value });
}

function fillIn(name: string, kind: string, text: string, env: Environment, secrets: Secrets): string {
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => {
    const found = env[variable];
    if (found === undefined) {
      const cause = `the variable ${variable} for the ${kind} ${toLine(name, 60)} is not set`;
      throw new OpenApiError("CREDENTIAL_MISSING", cause, `Set ${variable} in the environment of the server.`);
    }
    if (found !== "") addHeader(`${name} ${variable}`, found, secrets);
    return found;
  });
}

function readFixed(line: string, env: Environment, secrets: Secrets): [string, string] {
  const [, name = "", text = ""] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  if (name.trim() === "") {
    throw new OpenApiError("COMMAND_INVALID", "an argument is not valid", "Write it as --argument 'name: value'.");
  }
  const value = fillIn(name, "argument", text, env, secrets);
  if (CREDENTIAL_NAME.test(name)) secrets.add(value);
  return [name.trim(), value];
}

/** Names of headers and variables whose values are credentials. */
const CREDENTIAL_NAME = /auth|token|key|secret|passw|cookie|session|credential|signature/i;

/** Adds the value of a header, without the word that says its kind. A tenant or a version is hidden in errors alone. */
function addHeader(name: string, text: string, secrets: Secrets): void {
  const value = text.trim();
  const bare = value.replace(/^[A-Za-z]+ +/, "");
  if (!CREDENTIAL_NAME.test(name)) return secrets.addName(value);
  if (bare !== "") secrets.add(bare);
}

/** Other calls may wait for the same token: a call that no longer waits leaves its request alone. */
function within<Value>(work: Promise<Value>, timeoutMs: number, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = new OpenApiError(
      "REQUEST_FAILED",
      `there is no token after ${timeoutMs} ms`,
      "Try again later, or raise --timeout.",
    );
    const timer = setTimeout(() => reject(late), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const abort = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  });
}

/** Of Node: a longer one fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The credentials for one call. */
export interface ApiAccount {
  credentials: Credential[];
  /** Takes back the tokens that were fetched for it; absent where there are none. */
  discard?: () => void;
}

/**
 * The credentials for an operation: the first alternative that all values are there for. One without a login is the last choice. A token is
 * fetched here where there is none.
 */
export async function selectLogin(
  { headers, schemes, tokens }: Credentials,
  security: string[][],
  { signal, timeoutMs }: Pick<ExchangeLimits, "signal" | "timeoutMs">,
): Promise<ApiAccount> {
  const isUsable = (name: string): boolean => schemes.has(name) || tokens.has(name);
  const names = security.find((alternative) => alternative.length > 0 && alternative.every(isUsable)) ?? [];
  const sources = names.flatMap((name) => tokens.get(name) ?? []);
  const fetching = Promise.all(sources.map(async (source) => ({ source, token: await source.get() })));
  const fetched = sources.length === 0 ? [] : await within(fetching, timeoutMs, signal);
  const bearers = fetched.map(({ token }) =>
    checked({ place: "header" as const, name: "Authorization", value: `Bearer ${token}` }),
  );
  const credentials = [...names.flatMap((name) => schemes.get(name) ?? []), ...bearers, ...headers];
  if (fetched.length === 0) return { credentials };
  return { credentials, discard: () => fetched.forEach(({ source, token }) => source.discard(token)) };
}
