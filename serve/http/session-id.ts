import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { LONGEST_CLIENT_NAME } from "../client-traits.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";

/** What a replica must know of a client to go on where another one began. */
export interface SessionState {
  protocolVersion: string;
  /** The ways in which the client can ask its user. */
  elicitation: { form: boolean; url: boolean };
  /** What the client calls itself, cut to what its traits are found by. */
  clientName: string;
}

/** Reads the facts off a request `initialize`. */
export function toSessionFacts(params: JsonObject): SessionState {
  const { protocolVersion: asked, capabilities, clientInfo } = params;
  const name = isJsonObject(clientInfo) ? clientInfo["name"] : undefined;
  const elicitation = isJsonObject(capabilities) ? capabilities["elicitation"] : undefined;
  const modes = isJsonObject(elicitation) ? elicitation : undefined;
  const has = (mode: string): boolean => modes !== undefined && isJsonObject(ownValue(modes, mode));
  const url = has("url");
  return {
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(String(asked)) ? String(asked) : LATEST_PROTOCOL_VERSION,
    // Before there were modes, an empty object meant forms.
    elicitation: { form: modes !== undefined && (has("form") || !url), url },
    clientName: typeof name === "string" ? name.slice(0, LONGEST_CLIENT_NAME) : "",
  };
}

/**
 * A new id that carries the facts, for one client: `2025-11-25.f.<name>.<random>.<digest>`. It gives no authority, since every
 * request has to bring the client's token; the digest keeps one client from picking up the id of another by mistake.
 */
export function makeSessionId(facts: SessionState, client: string | undefined): string {
  const { form, url } = facts.elicitation;
  const flags = `${form ? "f" : ""}${url ? "u" : ""}`;
  const name = Buffer.from(facts.clientName).toString("base64url");
  const head = `${facts.protocolVersion}.${flags}.${name}.${randomBytes(16).toString("base64url")}`;
  return `${head}.${digest(head, client)}`;
}

/** The facts of an id that was made for this client, here or by another replica; undefined for anything else. */
export function parseSessionId(id: string, client: string | undefined): SessionState | undefined {
  const match = /^((\d{4}-\d{2}-\d{2})\.(f?u?)\.([\w-]{0,256})\.[\w-]{22})\.([\w-]{22})$/.exec(id);
  if (match === null) return undefined;
  const [, head = "", protocolVersion = "", flags = "", name = "", given = ""] = match;
  // As text: the last letter has bits that decoding ignores, and an id has one spelling.
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(digest(head, client)))) return undefined;
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) return undefined;
  const clientName = Buffer.from(name, "base64url").toString();
  return { protocolVersion, elicitation: { form: flags.includes("f"), url: flags.includes("u") }, clientName };
}

function digest(head: string, client: string | undefined): string {
  const bound: JsonValue = ["codemode session", client ?? null, head];
  return createHash("sha256").update(JSON.stringify(bound)).digest().subarray(0, 16).toString("base64url");
}
