import { INVISIBLE } from "../json/escape-invisible.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json/json.ts";
import { serverJsonInvalid } from "../errors.ts";

const LONGEST_TEXT = 4096;

/**
 * A text of the document; undefined where it is none.
 * @throws CodemodeError where it holds a placeholder, which would read a variable of this machine, or characters that hide
 */
export function readText(object: JsonObject, key: string): string | undefined {
  const value = ownValue(object, key);
  if (typeof value !== "string") return undefined;
  if (value.includes("${")) throw serverJsonInvalid(`${key} holds a placeholder of the configuration`);
  if (value.length > LONGEST_TEXT || value.includes("\n") || value.search(INVISIBLE) !== -1) {
    throw serverJsonInvalid(`${key} is too long, or holds line breaks or invisible characters`);
  }
  return value;
}

/** Variables or headers with their values, and the optional ones that have none. */
export interface Filled {
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
export function listInputs(owner: JsonObject, key: "environmentVariables" | "headers"): Filled {
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
export function fillInput(input: JsonObject, name: string): string | undefined {
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
