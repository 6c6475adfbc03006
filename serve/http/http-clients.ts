import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { type Access, accessOf } from "../../schemas/access/access.ts";
import type { Config } from "../../schemas/config/config.ts";
import { tokenInvalid, tokenUnset } from "../../schemas/config/serve-errors.ts";
import { replacePlaceholders } from "@codemode/runtime/placeholders";

/** A client that may send requests. */
export interface HttpClient {
  /** One object for each client as long as the process lives. */
  access: Access;
  /** The token itself is not kept. Absent if no token is required. */
  tokenDigest?: Buffer | undefined;
}

/** A hash, so that tokens of any length are compared in the same time. */
export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * All clients that may send requests: those of the configuration, and those with `serve.token`. Without a configured token, every client
 * that reaches the address.
 */
export function resolveHttpClients(config: Config, env: NodeJS.ProcessEnv): HttpClient[] {
  const { clients, token } = config.serve;
  const own = accessOf({ kind: "http" }, config);
  if (token === undefined && clients.length === 0) return [{ access: own }];
  const written = [
    ...clients.map((client) => ({
      owner: `"serve.clients.${client.name}"`,
      text: client.token,
      access: accessOf({ kind: "http", client }, config),
    })),
    ...(token === undefined ? [] : [{ owner: '"serve"', text: token, access: own }]),
  ];
  const owners = new Map<string, string>();
  return written.map(({ owner, text, access }) => {
    const resolved = resolveToken(text, owner, config.folder, env);
    const twin = owners.get(resolved);
    if (twin !== undefined) throw tokenInvalid(owner, `is the same as that of ${twin}`);
    owners.set(resolved, owner);
    return { access, tokenDigest: digestToken(resolved) };
  });
}

/** The value of a token as it is written. Throws a `CodemodeError` that names its owner. */
export function resolveToken(text: string, owner: string, folder: string, env: NodeJS.ProcessEnv): string {
  const values = { env, workspaceFolder: folder, userHome: homedir() };
  const token = replacePlaceholders(text, values, (variable) => tokenUnset(owner, variable));
  if (token === "") throw tokenInvalid(owner, "is empty");
  if (!TOKEN.test(token)) throw tokenInvalid(owner, "has a character that no Authorization header can carry");
  return token;
}

/** What a client can send after `Bearer `; wider than the `token68` of RFC 6750, which some generators ignore. */
const TOKEN = /^[\x21-\x7e]+$/;
