import { readTrustRecord, TRUST_VERSION, type TrustRecord, trustRecordPath } from "@codemode/runtime/project-trust";
import { stateFolder } from "@codemode/runtime/state-folder";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileInaccessible } from "../../../schemas/errors.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { makePrivateFolder, writePrivately } from "../../files/private-files.ts";
import type { ProjectStart } from "./project-starts.ts";

/** Adds approvals of this account to a project folder. Throws a `CodemodeError` where the state folder cannot be written. */
export async function recordTrust(folder: string, starts: readonly ProjectStart[]): Promise<void> {
  const added = starts.map(({ name, digest }) => ({ name, digest }));
  const digests = new Set(added.map(({ digest }) => digest));
  const kept = readTrustRecord(folder).filter(({ digest }) => !digests.has(digest));
  const record: TrustRecord = { version: TRUST_VERSION, folder, trusted: [...kept, ...added] };
  const path = trustRecordPath(folder);
  try {
    await makePrivateFolder(dirname(path), stateFolder());
    await writePrivately(path, `${JSON.stringify(record, undefined, 2)}\n`);
  } catch (error) {
    if (error instanceof CodemodeError) throw error;
    throw fileInaccessible(path, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}

/** Forgets all approvals to a project folder; false where there were none. */
export async function revokeTrust(folder: string): Promise<boolean> {
  const wasTrusted = readTrustRecord(folder).length > 0;
  await rm(trustRecordPath(folder), { force: true });
  return wasTrusted;
}
