import { stateFolder } from "@codemode/runtime/state-folder";
import { createHash, randomUUID } from "node:crypto";
import { readFile, rm, link, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OAuthTokens, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import type { DpopKey } from "./dpop-key.ts";
import { unlessExists, unlessMissing } from "../../files/expected-errors.ts";
import { mayRun, ownerHere, type ProcessOwner } from "../../files/process-owner.ts";
import { makePrivateFolder, writePrivately } from "../../files/private-files.ts";
import { setTimeout as delay } from "node:timers/promises";

const VERSION = 1;

/** What is known of the logins to one server. An authorization server never sees what another one gave. */
export interface Credentials {
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

/** Undefined without a login, or if the file is not a credentials file. */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const value = JSON.parse(text) as Credentials;
    return value.version === VERSION && typeof value.grants === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads, changes and writes the file while no other process does. `change` gives undefined to leave it as it is. */
export async function updateCredentials(
  path: string,
  serverUrl: string,
  change: (credentials: Credentials) => Promise<Credentials | undefined> | Credentials | undefined,
  signal?: AbortSignal,
): Promise<void> {
  await makePrivateFolder(dirname(path));
  await withFileLock(
    path,
    async () => {
      const before = (await readCredentials(path)) ?? { version: VERSION, server: withoutQuery(serverUrl), grants: {} };
      const after = await change(before);
      if (after !== undefined) await writePrivately(path, `${JSON.stringify(after, undefined, 2)}\n`);
    },
    signal,
  );
}

export async function removeCredentials(path: string): Promise<void> {
  if ((await readCredentials(path)) === undefined) return;
  await withFileLock(path, () => rm(path, { force: true }));
}

/** A query may hold a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** How often to look whether a lock is free. */
const LOOK_EVERY_MS = 25;

/** A lock that this process has seen for so long is stale, by its own clock: its holder has ended, or its machine was asleep. */
const STALE_AFTER_MS = 60_000;

/**
 * Does something while no other process does anything under the same lock. The lock is a file beside the one that
 * is protected; one whose process has ended is taken over.
 * @throws the signal's reason when it ends the wait
 */
export async function withFileLock<Result>(
  path: string,
  action: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const lockPath = `${path}.lock`;
  const ownership = JSON.stringify({ ...ownerHere(), id: randomUUID() });
  const seen: SeenLock = { content: "", since: 0 };
  while (!(await tryToLock(lockPath, ownership))) {
    signal?.throwIfAborted();
    await removeStaleLock(lockPath, seen);
    await delay(LOOK_EVERY_MS);
  }
  try {
    return await action();
  } finally {
    if ((await readFile(lockPath, "utf8").catch(unlessMissing)) === ownership) await rm(lockPath, { force: true });
  }
}

async function tryToLock(lockPath: string, ownership: string): Promise<boolean> {
  try {
    await writeFile(lockPath, ownership, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The lock of another process, and since when it is waited for, by a clock that is never set. */
interface SeenLock {
  content: string;
  since: number;
}

async function removeStaleLock(lockPath: string, seen: SeenLock): Promise<void> {
  try {
    const content = await readFile(lockPath, "utf8");
    if (seen.content !== content || seen.since === 0) Object.assign(seen, { content, since: performance.now() });
    if (performance.now() - seen.since < STALE_AFTER_MS && isHeld(content)) return;
    // Moved away first: of several that want to remove it only one succeeds.
    const aside = `${lockPath}.${randomUUID()}`;
    await rename(lockPath, aside);
    const isAnother = (await readFile(aside, "utf8")) !== content;
    if (isAnother) await link(aside, lockPath).catch(unlessExists); // another process was faster: give the lock back
    await rm(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Whether the process that wrote it lives; what cannot be read may be in the middle of being written. */
function isHeld(content: string): boolean {
  try {
    return mayRun((JSON.parse(content) ?? {}) as Partial<ProcessOwner>);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return true;
  }
}
