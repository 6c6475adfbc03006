import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import type { ServerEntry } from "./config.ts";
import { serverJsonInvalid } from "../errors.ts";
import { fillInput, type Filled, listInputs, readText } from "./server-json-inputs.ts";
import { toCommand } from "./server-json-packages.ts";

/** A server of an MCP registry as the configuration has it. */
export interface PublishedServer {
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
export function parseServerJson(document: JsonValue): PublishedServer {
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
function toRemote(remote: JsonObject): Omit<PublishedServer, "name"> | string {
  const type = readText(remote, "type");
  if (type !== "streamable-http" && type !== "sse") return `the remote type "${type ?? ""}" is unknown`;
  const url = fillInput({ ...remote, value: ownValue(remote, "url") ?? "" }, "URL") ?? "";
  if (!SAFE_ADDRESS.test(url)) return "its remote has no https address";
  const filled: Filled = listInputs(remote, "headers");
  const headers = filled.values.size === 0 ? {} : { headers: Object.fromEntries(filled.values) };
  return { entry: { type: type === "sse" ? "sse" : "http", url, ...headers }, left: filled.left };
}
