import { stateFolder } from "@codemode/runtime/state-folder";
import { randomBytes } from "node:crypto";
import { lstat, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../../engine/clock.ts";
import {
  MACHINE,
  makePrivateFolder,
  mayRun,
  ownerHere,
  type ProcessOwner,
  readStateFile,
  unlessMissing,
  unlessNotReadable,
} from "../../../engine/files.ts";
import { parseJsonObject } from "../../../schemas/json/json.ts";
import { startLease } from "../run-store.ts";
import { HEADS } from "./file-heads.ts";
import { OWN_ONLY } from "./file-lines.ts";

/** Gives signs of life of this process. */
export async function joinOwners(folder: string, leaseMs: number) {
  for (const each of [folder, join(folder, "owners"), join(folder, HEADS)])
    await makePrivateFolder(each, stateFolder());
  const id = randomBytes(12).toString("base64url");
  const place = join(folder, "owners", id);
  const sign = await open(place, "w", OWN_ONLY);
  const { isAlive, end } = await startLease(leaseMs, async () => {
    // Written over in one piece, and of one length: who reads it meanwhile reads the one or the other.
    const heardMs = Math.round(clock.steady()).toString().padStart(16);
    await sign.write(JSON.stringify({ ...ownerHere(), leaseMs, heardMs }), 0);
    return true;
  });
  return {
    id,
    isAlive,
    async leave(): Promise<void> {
      end();
      await rm(place, { force: true });
      await sign.close();
    },
  };
}

/** The name of a file of a process: 12 random bytes. */
const OWNER = /^[\w-]{16}$/;
const MOST_BYTES = 64 * 1024;

export type Owner = Awaited<ReturnType<typeof joinOwners>>;

/** What the file of a process holds, unless something else wrote it. */
type SignOfLife = Partial<ProcessOwner> & { leaseMs?: number; heardMs?: string };

/** Whether a process has given a sign of life in time, and is there, where this machine can say that. */
export async function isHeard(folder: string, owner: string): Promise<boolean> {
  if (!OWNER.test(owner)) return false;
  const place = join(folder, "owners", owner);
  const text = await readStateFile(place, MOST_BYTES).catch(unlessNotReadable);
  const found = await lstat(place).catch(unlessMissing);
  if (text === undefined || found === undefined) return false;
  const { leaseMs, heardMs, ...process } = (parseJsonObject(text.toString()) ?? {}) as SignOfLife;
  // Only the clock of the wall says something of a process on another machine.
  const silentMs = process.machine === MACHINE ? clock.steady() - Number(heardMs) : clock.wall() - found.mtimeMs;
  const isHere = silentMs < Number(leaseMs) && mayRun(process);
  if (!isHere) await rm(place, { force: true, recursive: true });
  return isHere;
}
