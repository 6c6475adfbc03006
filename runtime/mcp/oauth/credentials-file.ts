import { stateFolder } from "@codemode/runtime/state-folder";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OAuthTokens, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import type { DpopKey } from "./dpop-key.ts";
import { withFileLock } from "../../files/file-lock.ts";
import { makePrivateFolder, writePrivately } from "../../files/private-files.ts";
import { readStateFile, unlessNotReadable } from "../../files/state-file.ts";

const VERSION = 1;

/** What is known of the logins to one server. An authorization server never sees what another one gave. */
export interface StoredLogin {
  version: typeof VERSION;
  /** The URL of the server, for people who look into the file. */
  server: string;
  /** The authorization server of the last login. */
  issuer?: string;
  /** By issuer. */
  grants: { [issuer: string]: Grant };
  /** Scopes that the server missed since, for the next login to ask for. */
  missingScope?: string;
}

/** What one authorization server has given. */
export interface Grant {
  client?: StoredOAuthClientInformation;
  /** The redirect that the client was registered with; its port is tried again. */
  redirectUrl?: string;
  tokens?: OAuthTokens;
  /** When the access token ends, in milliseconds since 1970; absent where the server does not say. */
  expiresAt?: number;
  /** As it was sent with the login (RFC 8707). */
  resource?: string;
  /** What the tokens are bound to, where they are. */
  dpopKey?: DpopKey;
}

/**
 * One file per server URL: all projects of a user that use a server share its login. Tokens that come without a person have a file for all
 * that they are made from, so that neither another person's login nor changed settings use them.
 */
export function credentialsPath(
  { url: serverUrl, oauth }: Pick<HttpTarget, "url" | "oauth">,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const url = new URL(serverUrl);
  url.hash = "";
  const isPersonal = oauth?.grant === undefined || oauth.grant === "authorization_code";
  const identity = isPersonal ? url.href : canonicalJson([url.href, { ...oauth }]);
  const name = createHash("sha256").update(identity).digest("hex").slice(0, 32);
  return join(stateFolder(env), "credentials", `${name}.json`);
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Undefined without a login, or if the file is not a credentials file. */
export async function readStoredLogins(path: string): Promise<StoredLogin | undefined> {
  const text = await readStateFile(path, MOST_BYTES).catch(unlessNotReadable);
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text.toString()) as StoredLogin;
    return value.version === VERSION && typeof value.grants === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The grant of the last login; undefined where there is none. */
export function currentGrant(credentials: StoredLogin | undefined): Grant | undefined {
  const { issuer, grants } = credentials ?? {};
  return issuer !== undefined && grants !== undefined && Object.hasOwn(grants, issuer) ? grants[issuer] : undefined;
}

/** Reads, changes and writes the file while no other process does. `change` gives undefined to leave it as it is. */
export async function updateCredentials(
  path: string,
  serverUrl: string,
  change: (credentials: StoredLogin) => Promise<StoredLogin | undefined> | StoredLogin | undefined,
  signal?: AbortSignal,
): Promise<void> {
  await makePrivateFolder(dirname(path), stateFolder());
  await withFileLock(
    path,
    async () => {
      const before = (await readStoredLogins(path)) ?? {
        version: VERSION,
        server: withoutQuery(serverUrl),
        grants: {},
      };
      const after = await change(before);
      if (after !== undefined) await writePrivately(path, `${JSON.stringify(after, undefined, 2)}\n`);
    },
    signal,
  );
}

export async function removeCredentials(path: string): Promise<void> {
  if ((await readStoredLogins(path)) === undefined) return;
  await withFileLock(path, () => rm(path, { force: true }));
}

/** A query may hold a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
