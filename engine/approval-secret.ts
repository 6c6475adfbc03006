import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, scrypt, sign, verify } from "node:crypto";
import { join } from "node:path";
import { stateFolder } from "@codemode/runtime/state-folder";
import { makePrivateFolder, readStateFile, writePrivately } from "./files.ts";
import { isJsonObject, ownValue } from "../schemas/json/json.ts";
import type { ApprovalKey } from "../schemas/run/approval.ts";

// An approval outside of the client is signed with a key that is made from a passphrase, which only the person knows. The account keeps salt
// and public key: a program that reads the state folder cannot sign, and the process that serves knows the public key since it began.

export const SHORTEST_PASSPHRASE = 8;

/** 64 MiB and some 0.3 s for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
/** The DER of a private key of Ed25519 without its 32 bytes (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

const keyPath = (env?: NodeJS.ProcessEnv): string => join(stateFolder(env), "approval-key.json");

/** Sets the passphrase of this account. Processes that serve already keep the one that they began with. */
export async function setPassphrase(passphrase: string): Promise<void> {
  const salt = randomBytes(16).toString("base64");
  const publicKey = printPublic(await derive(passphrase, salt));
  await makePrivateFolder(stateFolder(), stateFolder());
  await writePrivately(keyPath(), JSON.stringify({ salt, publicKey, since: new Date().toISOString() }));
}

/** The key of this account; undefined where no passphrase was set. */
export async function readApprovalKey(env?: NodeJS.ProcessEnv): Promise<ApprovalKey | undefined> {
  try {
    const value: unknown = JSON.parse(String(await readStateFile(keyPath(env))));
    if (!isJsonObject(value)) return undefined;
    const [salt, publicKey, since] = ["salt", "publicKey", "since"].map((key) => ownValue(value, key));
    if (typeof salt !== "string" || typeof publicKey !== "string" || typeof since !== "string") return undefined;
    return { salt, publicKey, since };
  } catch {
    return undefined;
  }
}

/** The signature of a text in Base64; undefined where the passphrase is wrong. */
export async function signText(passphrase: string, text: string, key: ApprovalKey): Promise<string | undefined> {
  const own = await derive(passphrase, key.salt);
  return printPublic(own) === key.publicKey ? sign(null, Buffer.from(text), own).toString("base64") : undefined;
}

export function isSigned(text: string, signature: string, { publicKey }: ApprovalKey): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** Two keyboards may write one letter in two ways. */
async function derive(passphrase: string, salt: string): Promise<KeyObject> {
  const seed = await new Promise<Buffer>((resolve, reject) => {
    const done = (error: Error | null, made: Buffer): void => (error === null ? resolve(made) : reject(error));
    scrypt(passphrase.normalize("NFKC"), Buffer.from(salt, "base64"), 32, COST, done);
  });
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

function printPublic(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}
