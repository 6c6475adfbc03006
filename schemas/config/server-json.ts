import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import type { ServerEntry } from "./config-file.ts";
import { serverJsonInvalid } from "../errors.ts";
import { withoutUndefined } from "../json/without-undefined.ts";
import { INVISIBLE } from "../json/escape-invisible.ts";

/** A server of an MCP registry as the configuration has it. */
export interface RegistryServer {
  /** In the registry: `io.github.owner/weather`. */
  name: string;
  entry: ServerEntry;
  /** Optional variables and headers that were left out, by name. */
  left: readonly string[];
}

/** A name of the registry (server.schema.json): a reversed domain, a slash, and a name. */
const REGISTRY_NAME = /^[a-zA-Z0-9.-]{1,100}\/[a-zA-Z0-9._-]{1,100}$/;

/** Over TLS, except on this machine; without a user in front of the host, and without a fragment, which no request carries. */
const SAFE_ADDRESS =
  /^(?:https:\/\/[^\s/?#@\\]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:[/?][^\s#\\]*)?$/;

export function isRegistryName(word: string): boolean {
  return REGISTRY_NAME.test(word);
}

/**
 * The entry for a `server.json` of the MCP registry: its first package that a known program starts over stdio, at its exact version; else its
 * first remote. Secrets and what the user must choose become placeholders. The document is untrusted: it cannot name a
 * version that floats, or options of the program that starts a package. The variables of its placeholders may exist on this machine for
 * something else, so a person agrees to the entry before it is used.
 * @throws CodemodeError (`SERVER_JSON_INVALID`) where nothing in it can be added
 */
export function parseServerJson(document: JsonValue): RegistryServer {
  if (!isJsonObject(document)) throw serverJsonInvalid("it is no object");
  const name = readText(document, "name") ?? "";
  if (!isRegistryName(name)) throw serverJsonInvalid("its name has no form such as io.github.owner/name");
  const problems: string[] = [];
  for (const [list, toEntry] of [["packages", toCommand] as const, ["remotes", toRemote] as const]) {
    for (const option of listObjects(document, list)) {
      const found = toEntry(option);
      if (typeof found !== "string") return { name, ...found };
      problems.push(found);
    }
  }
  throw serverJsonInvalid(problems.length === 0 ? "it names no package and no remote" : problems.join("; "));
}

function listObjects(document: JsonObject, key: string): JsonObject[] {
  const list = ownValue(document, key);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The entry of a remote, or why there is none. */
function toRemote(remote: JsonObject): Omit<RegistryServer, "name"> | string {
  const type = readText(remote, "type");
  if (type !== "streamable-http" && type !== "sse") return `the remote type "${type ?? ""}" is unknown`;
  const url = fillInput({ ...remote, value: ownValue(remote, "url") ?? "" }, "URL") ?? "";
  if (!SAFE_ADDRESS.test(url)) return "its remote has no https address";
  const filled: Filled = listInputs(remote, "headers");
  const headers = filled.values.size === 0 ? {} : { headers: Object.fromEntries(filled.values) };
  return { entry: { type: type === "sse" ? "sse" : "http", url, ...headers }, left: filled.left };
}

/** How packages of a registry are started: the program, and the words before the arguments of the package. */
interface Starter {
  /** The host of the only registry that the program takes packages from. */
  registry: RegExp;
  /** What identifies one package at one version; undefined where that is not exact. */
  pin: (identifier: string, version: string | undefined) => string | undefined;
  start: (pinned: string, variables: readonly string[]) => { command: string; words: string[] };
  /** Options of the program that change nothing; others could give the package more than codemode shows. */
  harmless: readonly string[];
}

const NPM_NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;
const PYPI_NAME = /^[a-z0-9][\w.-]*$/i;
const IMAGE = /^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*$/i;
/** Digits first: neither a tag such as `latest` nor a range. */
const EXACT = /^v?\d[\w.!+-]*$/;

const STARTERS: Readonly<Record<string, Starter>> = {
  npm: {
    registry: /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/,
    pin: (name, version = "") =>
      NPM_NAME.test(name) && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? `${name}@${version}` : undefined,
    start: (pinned) => ({ command: "npx", words: ["-y", pinned] }),
    harmless: ["-y", "--yes"],
  },
  pypi: {
    registry: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
    pin: (name, version = "") => (PYPI_NAME.test(name) && isExact(version) ? `${name}@${version}` : undefined),
    start: (pinned) => ({ command: "uvx", words: [pinned] }),
    harmless: [],
  },
  oci: {
    registry: /^https:\/\/(?:docker\.io|index\.docker\.io|ghcr\.io|quay\.io|mcr\.microsoft\.com)\/?$/,
    pin: pinImage,
    start: (pinned, variables) => ({
      command: "docker",
      words: ["run", "-i", "--rm", ...variables.flatMap((name) => ["-e", name]), pinned],
    }),
    harmless: ["-i", "--interactive", "--rm"],
  },
};

function isExact(version: string): boolean {
  return EXACT.test(version) && !/[x*]$/i.test(version);
}

/** An image with a tag that looks like a version, or a digest; newer documents have it in the identifier. */
function pinImage(identifier: string, version: string | undefined): string | undefined {
  const [, image = "", tag, digest] = /^(.*?)(?::([\w.-]+))?(@sha256:[0-9a-f]{64})?$/.exec(identifier) ?? [];
  const pinned = tag ?? (version === "" ? undefined : version);
  if (!IMAGE.test(image) || (digest === undefined && !isExact(pinned ?? ""))) return undefined;
  return `${image}${pinned === undefined ? "" : `:${pinned}`}${digest ?? ""}`;
}

/** The entry that starts a package, or why there is none. */
function toCommand(item: JsonObject): { entry: ServerEntry; left: string[] } | string {
  const type = readText(item, "registryType") ?? "";
  const starter = Object.hasOwn(STARTERS, type) ? STARTERS[type] : undefined;
  if (starter === undefined) return `packages of "${type}" cannot be started`;
  const transport = ownValue(item, "transport");
  if (isJsonObject(transport) && readText(transport, "type") !== "stdio") return `its ${type} package speaks no stdio`;
  const base = readText(item, "registryBaseUrl");
  if (base !== undefined && !starter.registry.test(base))
    throw serverJsonInvalid(`its package is in another registry, ${base}`);
  const identifier = readText(item, "identifier") ?? "";
  const pinned = starter.pin(identifier, readText(item, "version"));
  if (pinned === undefined) throw serverJsonInvalid(`"${identifier}" is no ${type} package at an exact version`);
  const extra = listArguments(item, "runtimeArguments").find((word) => !starter.harmless.includes(word));
  if (extra !== undefined) throw serverJsonInvalid(`it asks for the option ${extra} of the program that starts it`);
  const { values, left }: Filled = listInputs(item, "environmentVariables");
  const { command, words } = starter.start(pinned, [...values.keys()]);
  const args = [...words, ...listArguments(item, "packageArguments")];
  return {
    entry: { command, args, ...withoutUndefined({ env: values.size === 0 ? undefined : Object.fromEntries(values) }) },
    left,
  };
}

/** The words of a list of arguments; one without a value that must have one is a placeholder of its name. */
function listArguments(item: JsonObject, key: "packageArguments" | "runtimeArguments"): string[] {
  const list = ownValue(item, key);
  return (Array.isArray(list) ? list.filter(isJsonObject) : []).flatMap((argument) => {
    const name = readText(argument, "name") ?? "";
    const value = fillInput(argument, name.replace(/^-+/, "") || readText(argument, "valueHint") || "ARGUMENT");
    if (readText(argument, "type") !== "named") return value === undefined ? [] : [value];
    if (!/^-{1,2}[\w][\w.-]*$/.test(name)) throw serverJsonInvalid(`"${name}" is no option`);
    if (value !== undefined) return [name, value];
    return ["isRequired", "value", "default", "valueHint", "format"].some((word) => Object.hasOwn(argument, word))
      ? []
      : [name];
  });
}

const LONGEST_TEXT = 4096;

/**
 * A text of the document; undefined where it is none.
 * @throws CodemodeError where it holds a placeholder, which would read a variable of this machine, or characters that hide
 */
function readText(object: JsonObject, key: string): string | undefined {
  const value = ownValue(object, key);
  if (typeof value !== "string") return undefined;
  if (value.includes("${")) throw serverJsonInvalid(`${key} holds a placeholder of the configuration`);
  if (value.length > LONGEST_TEXT || value.includes("\n") || value.search(INVISIBLE) !== -1) {
    throw serverJsonInvalid(`${key} is too long, or holds line breaks or invisible characters`);
  }
  return value;
}

/** Variables or headers with their values, and the optional ones that have none. */
interface Filled {
  values: Map<string, string>;
  left: string[];
}

/**
 * Names that would change how any program starts, or where npx, uvx and docker take a package from, so that they are not a setting of the
 * server: another package registry than the one that the document may name, other certificates, a proxy, other settings files.
 */
const OF_THE_LOADER = new RegExp(
  `^(?:${[
    "PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|TMPDIR|SHELL|COMSPEC|BASH_ENV|ENV|LD_.*|DYLD_.*",
    "NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NPM_CONFIG_.*",
    "PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PIP_.*|UV_.*|DOCKER_.*",
    "SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|ALL_PROXY",
  ].join("|")})$`,
  "i",
);

/** Headers that belong to the connection or to the protocol: a document that sets them speaks for codemode. */
const OF_THE_TRANSPORT = new RegExp(
  `^(?:${[
    "Host|Content-.*|Accept|Accept-.*|Connection|Keep-Alive|Transfer-Encoding|TE|Trailer|Upgrade|Expect|Via|Forwarded|X-Forwarded-.*",
    "Proxy-.*|Sec-.*|Origin|Referer|Date|Cookie|Set-Cookie|Mcp-.*|Last-Event-ID|DPoP",
  ].join("|")})$`,
  "i",
);

/** The `environmentVariables` of a package, or the `headers` of a remote. */
function listInputs(owner: JsonObject, key: "environmentVariables" | "headers"): Filled {
  const filled: Filled = { values: new Map(), left: [] };
  const list = ownValue(owner, key);
  for (const input of Array.isArray(list) ? list.filter(isJsonObject) : []) {
    const name = readText(input, "name") ?? "";
    const isName = key === "headers" ? /^[\w!#$%&'*+.^`|~-]{1,200}$/ : /^[A-Za-z_]\w{0,200}$/;
    const taken = key === "headers" ? OF_THE_TRANSPORT : OF_THE_LOADER;
    if (!isName.test(name) || taken.test(name) || name === "__proto__") {
      throw serverJsonInvalid(`"${name}" is no name for one of its ${key}`);
    }
    const value = fillInput(input, name);
    if (value === undefined) filled.left.push(name);
    else filled.values.set(name, value);
  }
  return filled;
}

/**
 * The value of an input: fixed, its default, or a placeholder for a variable of the given name where it is required or secret; undefined for
 * an optional one that has none. `{name}` in a fixed value is filled in from its variables.
 */
function fillInput(input: JsonObject, name: string): string | undefined {
  const fixed = readText(input, "value");
  const isSecret = ownValue(input, "isSecret") === true;
  if (fixed !== undefined) return fillVariables(fixed, ownValue(input, "variables"));
  const usual = readText(input, "default");
  if (isSecret) return ownValue(input, "isRequired") === true ? placeholder(name) : undefined;
  if (usual !== undefined) return usual;
  return ownValue(input, "isRequired") === true ? placeholder(name) : undefined;
}

function fillVariables(text: string, variables: unknown): string {
  const pieces = text.split(/(\{[a-zA-Z_]\w*\})/).map((piece) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    const variable = name !== undefined && isJsonObject(variables) ? ownValue(variables, name) : undefined;
    if (name === undefined || !isJsonObject(variable)) return piece;
    return fillInput({ ...variable, isRequired: true, variables: {} }, name) ?? piece;
  });
  // `$` from one text and `{NAME}` from the next would make a placeholder together. No text holds a line break.
  const texts = pieces.map((piece) => (piece.startsWith("${") ? "\n" : piece)).join("");
  if (texts.includes("${")) throw serverJsonInvalid("its variables make a placeholder of the configuration");
  const filled = pieces.join("");
  if (filled.length > LONGEST_TEXT) throw serverJsonInvalid("a value is too long with its variables filled in");
  return filled;
}

/** A header such as `X-API-Key` asks for the variable `X_API_KEY`. */
function placeholder(name: string): string {
  const variable = name.replace(/\W/g, "_").toUpperCase();
  return `\${${/^\d/.test(variable) ? "_" : ""}${variable}}`;
}
