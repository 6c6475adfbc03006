import type { ApiDocument } from "../document/parse-document.ts";
import { isObject, type JsonObject, objectAt, textAt } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
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
  /** By the name of the security scheme; only those that the environment has values for. */
  schemes: ReadonlyMap<string, Credential[]>;
  /** The environment variables of each scheme, set or not. */
  variables: ReadonlyMap<string, string[]>;
  /** Replaces every secret value in a text. */
  mask: (text: string) => string;
}

/** Headers for every request, one a line: in the configuration of a client a value does not show in the list of processes. */
const HEADERS_VARIABLE = "OPENAPI_HEADERS";

/** Values of environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads headers such as `Authorization: Bearer ${TOKEN}` and the variables of the security schemes. A document names only variables with
 * the prefix `OPENAPI_`: it cannot ask for others.
 */
export function readCredentials(document: ApiDocument, headers: readonly string[], env: Environment): Credentials {
  const secrets = new Set<string>();
  const inEnvironment = (env[HEADERS_VARIABLE] ?? "").split("\n").filter((line) => line.trim() !== "");
  for (const line of inEnvironment) secrets.add(line.replace(/^[^:]*:\s*(?:(?:basic|bearer|token) +)?/i, "").trim());
  const byHand = [...inEnvironment, ...headers].map((header) => readHeader(header, env, secrets));
  const defined = objectAt(objectAt(document.root, "components") ?? {}, "securitySchemes") ?? {};
  const schemes = new Map<string, Credential[]>();
  const variables = new Map<string, string[]>();
  for (const [name, scheme] of Object.entries(defined)) {
    if (!isObject(scheme)) continue;
    const names = variablesOf(name, scheme);
    variables.set(name, names);
    const values = names.map((variable) => env[variable]);
    const given = values.filter((value): value is string => value !== undefined && value !== "");
    if (given.length < names.length || names.length === 0) continue;
    for (const value of given) secrets.add(value);
    schemes.set(name, toCredentials(scheme, given, secrets));
  }
  return { headers: byHand, schemes, variables, mask: maskOf(secrets) };
}

/** `apiKey` is `OPENAPI_API_KEY`; a basic login has two, with `_USERNAME` and `_PASSWORD`. */
function variablesOf(name: string, scheme: JsonObject): string[] {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(/[^A-Za-z0-9]+/g, "_");
  const variable = `OPENAPI_${words.toUpperCase().replaceAll(/^_+|_+$/g, "")}`;
  const isBasic = textAt(scheme, "type") === "http" && textAt(scheme, "scheme")?.toLowerCase() === "basic";
  if (isBasic) return [`${variable}_USERNAME`, `${variable}_PASSWORD`];
  return textAt(scheme, "type") === "mutualTLS" ? [] : [variable];
}

function toCredentials(scheme: JsonObject, values: string[], secrets: Set<string>): Credential[] {
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

function isHeaderName(name: string): boolean {
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

function readHeader(header: string, env: Environment, secrets: Set<string>): Credential {
  const [, name = "", text = ""] = /^([^:]+):\s*(.*)$/s.exec(header) ?? [];
  if (!isHeaderName(name.trim())) {
    throw new OpenApiError("COMMAND_INVALID", "a header is not valid", "Write it as --header 'Name: value'.");
  }
  const value = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => {
    const found = env[variable];
    if (found === undefined) {
      const cause = `the variable ${variable} for the header ${name} is not set`;
      throw new OpenApiError("CREDENTIAL_MISSING", cause, `Set ${variable} in the environment of the server.`);
    }
    if (found !== "") secrets.add(found);
    return found;
  });
  // A header that was written out is as secret as one from a variable.
  if (/^(?:authorization|proxy-authorization|cookie|x-api-key)$/i.test(name)) secrets.add(value.replace(/^\w+ +/, ""));
  return checked({ place: "header", name: name.trim(), value });
}

/** Values of fewer characters are no secrets, and would mask ordinary text. */
const MIN_SECRET = 4;

function maskOf(secrets: ReadonlySet<string>): (text: string) => string {
  const values = [...secrets].flatMap((value) => [value, encodeURIComponent(value)]);
  const longestFirst = values.filter(({ length }) => length >= MIN_SECRET).toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, value) => masked.replaceAll(value, "***"), text);
}

/** The credentials for an operation: the first alternative that all values are there for. One without a login is the last choice. */
export function selectCredentials(credentials: Credentials, security: string[][]): Credential[] {
  const usable = security.find((names) => names.length > 0 && names.every((name) => credentials.schemes.has(name)));
  return [...(usable ?? []).flatMap((name) => credentials.schemes.get(name) ?? []), ...credentials.headers];
}
