import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { OpenApiError } from "../openapi-error.ts";
import type { Tokens } from "./protocol.ts";

/*
 * A file with a refresh token. Authorization servers may replace such a token at each use, and then end the login of a client that
 * shows an old one (RFC 9700, section 4.14.2): processes use the file one after the other, and leave the newest token in it.
 */

/** Longer than a request for a token takes: the process that made an older lock is gone. */
const MAX_LOCKED_MS = 40_000;
const PAUSE_MS = 50;
const MAX_FILE_BYTES = 64 * 1024;

/** Where it is, and the variable that says so: errors name that, since agents read them. */
export interface TokenFile {
  path: string;
  variable: string;
}

/** Asks for tokens with the refresh token of a file, and writes the one that replaces it. Throws an `OpenApiError` where it cannot. */
export function useTokenFile(file: TokenFile, request: (refreshToken: string) => Promise<Tokens>): Promise<Tokens> {
  return locked(file, async () => {
    const refreshToken = await readTokenFile(file);
    const tokens = await request(refreshToken);
    const { refreshToken: next = refreshToken } = tokens;
    if (next !== refreshToken) await replaceFile(file, next);
    return tokens;
  });
}

/** Writes the refresh token of a login, for this account alone. Throws an `OpenApiError` where it cannot. */
export function writeTokenFile(file: TokenFile, refreshToken: string): Promise<void> {
  return locked(file, async () => {
    await assertReplaceable(file);
    await replaceFile(file, refreshToken);
  });
}

/** A variable may name any file of the user: one that holds more than a token is not replaced. */
async function assertReplaceable(file: TokenFile): Promise<void> {
  const found = await stat(file.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw unusable(file, `cannot be read${codeOf(error)}`, NAME_ANOTHER);
  });
  if (found === undefined || found.size === 0) return;
  const isToken =
    found.isFile() && found.size <= MAX_FILE_BYTES && TOKEN.test((await readFile(file.path, "utf8")).trim());
  if (!isToken) throw unusable(file, "exists, and holds something else than a refresh token", NAME_ANOTHER);
}

const NAME_ANOTHER = "Name another file.";
const TOKEN = /^[\x21-\x7e]+$/;

async function readTokenFile(file: TokenFile): Promise<string> {
  const { path } = file;
  const { size, mode } = await stat(path).catch((error: unknown) => {
    throw unusable(file, `cannot be read${codeOf(error)}`, LOG_IN);
  });
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    throw unusable(file, "can be read by other accounts", "Take their rights to it away (chmod 600).");
  const token = size > MAX_FILE_BYTES ? "" : (await readFile(path, "utf8")).trim();
  if (!TOKEN.test(token)) throw unusable(file, "has no refresh token", LOG_IN);
  return token;
}

const LOG_IN = "Log in with --login, which writes it.";

/** The file is the old one or the new one, never half of one. */
async function replaceFile(file: TokenFile, refreshToken: string): Promise<void> {
  const part = `${file.path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(part, `${refreshToken}\n`, { mode: 0o600, flag: "wx" });
    await rename(part, file.path);
  } catch (error) {
    await rm(part, { force: true });
    throw unusable(file, `cannot be written${codeOf(error)}`, "Log in again with --login when it can.");
  }
}

async function locked<Value>(file: TokenFile, work: () => Promise<Value>): Promise<Value> {
  const lock = `${file.path}.lock`;
  const since = performance.now();
  while (!(await take(lock, file, since))) await delay(PAUSE_MS);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** @param since when the wait began, in milliseconds of a clock that is never set */
async function take(lock: string, file: TokenFile, since: number): Promise<boolean> {
  try {
    await (await open(lock, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw unusable(file, `cannot be locked${codeOf(error)}`, "This account must be able to write in its folder.");
    const madeAt = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (madeAt === undefined) return false;
    // A time in the future is of a clock that was wrong, or of a copied folder.
    const isOld = Math.abs(Date.now() - madeAt) > MAX_LOCKED_MS || performance.now() - since > MAX_LOCKED_MS;
    if (isOld) await removeLock(lock, madeAt);
    return false;
  }
}

/** Removes a lock without a holder, and no other one that was made meanwhile. */
async function removeLock(lock: string, madeAt: number): Promise<void> {
  const aside = `${lock}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(lock, aside);
    const { mtimeMs } = await stat(aside);
    if (mtimeMs !== madeAt) await link(aside, lock);
  } catch {
    // Another process was faster.
  } finally {
    await rm(aside, { force: true });
  }
}

function unusable({ variable }: TokenFile, what: string, hint: string): OpenApiError {
  return new OpenApiError("CREDENTIAL_MISSING", `the file of ${variable} ${what}`, hint);
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? "" : ` (${code})`;
}
