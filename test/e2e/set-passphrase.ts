import crypto, { type ScryptOptions } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { callbackify, promisify } from "node:util";
import { vi } from "vitest";
import { setPassphrase } from "../../engine/approval-secret.ts";

/** To make a key of a passphrase takes long on purpose, so that it is done once for all tests of a process. */
let kept: Promise<string> | undefined;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(crypto.scrypt);
const derived = new Map<string, Promise<Buffer>>();
/** The same passphrase and salt give the same bytes, so that those too are made once. */
crypto.scrypt = callbackify(async (passphrase: string, salt: Buffer, length: number, options: ScryptOptions) => {
  const name = JSON.stringify([passphrase, salt.toString("base64"), length, options]);
  const making = derived.get(name) ?? derive(passphrase, salt, length, options);
  derived.set(name, making);
  return Buffer.from(await making);
}) as typeof crypto.scrypt;
syncBuiltinESMExports();

/** Sets a passphrase for approvals in a state folder of the test's own: runs then wait for the person at a terminal. */
export async function setPassphraseIn(stateHome: string): Promise<{ XDG_STATE_HOME: string }> {
  const folder = join(stateHome, "codemode");
  const file = join(folder, "approval-key.json");
  kept ??= (async () => {
    vi.stubEnv("XDG_STATE_HOME", stateHome);
    await setPassphrase("correct horse battery").finally(() => vi.unstubAllEnvs());
    return readFile(file, "utf8");
  })();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, await kept, { mode: 0o600 });
  return { XDG_STATE_HOME: stateHome };
}
