import { resolve } from "node:path";
import { parseServerJson, type RegistryServer } from "../../../schemas/config/server-json.ts";
import { serverJsonInvalid, serverJsonUnavailable } from "../../../schemas/errors.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import { readText } from "../files.ts";

/** The official registry; `CODEMODE_MCP_REGISTRY` names another that speaks its API. */
const REGISTRY = "https://registry.modelcontextprotocol.io";
const TIMEOUT_MS = 30_000;
const LONGEST_DOCUMENT = 1_000_000;

/** Where a document is read from: a file or an address, or else a name in the registry with its version. */
export type ServerJsonPlace = { from: string } | { name: string; version: string };

/** @throws CodemodeError where the document cannot be had, is of another server, or cannot be added */
export async function fetchServerJson(
  place: ServerJsonPlace,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<RegistryServer> {
  if ("from" in place) return parseServerJson(unwrap(await readFrom(place.from, folder), place.from));
  const base = (env["CODEMODE_MCP_REGISTRY"] ?? REGISTRY).replace(/(?<!\/)\/+$/, "");
  const path = `/v0.1/servers/${encodeURIComponent(place.name)}/versions/${encodeURIComponent(place.version)}`;
  const found = parseServerJson(unwrap(parse(await fetchText(base + path), base), place.name));
  if (found.name !== place.name) throw serverJsonInvalid(`the registry answered with another server, ${found.name}`);
  return found;
}

async function readFrom(from: string, folder: string): Promise<JsonValue> {
  if (/^https?:\/\//.test(from)) return parse(await fetchText(from), from);
  return parse(await readText(resolve(folder, from), "given"), from);
}

/** The API wraps the document, and says beside it when the server was withdrawn. */
function unwrap(answer: JsonValue, where: string): JsonValue {
  const document = isJsonObject(answer) ? ownValue(answer, "server") : undefined;
  if (!isJsonObject(answer) || document === undefined) return answer;
  const meta = ownValue(answer, "_meta");
  const official = isJsonObject(meta) ? ownValue(meta, "io.modelcontextprotocol.registry/official") : undefined;
  if (isJsonObject(official) && ownValue(official, "status") === "deleted") {
    throw serverJsonUnavailable(where, "it was deleted from the registry");
  }
  return document;
}

function parse(text: string, where: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw serverJsonUnavailable(where, "it is no JSON");
  }
}

/** Over TLS, except from this machine. A redirect could leave it. */
async function fetchText(address: string): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal)) {
    throw serverJsonUnavailable(address, "the address has to begin with https://");
  }
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw serverJsonUnavailable(url.origin, `it answered with ${response.status}`);
    return await readShort(response, url);
  } catch (error) {
    if (error instanceof Error && error.name === "CodemodeError") throw error;
    throw serverJsonUnavailable(url.origin, "it does not answer, or redirects");
  }
}

async function readShort(response: Response, url: URL): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > LONGEST_DOCUMENT) throw serverJsonUnavailable(url.origin, "the answer is too long");
  }
  return text + decoder.decode();
}
