import { constants } from "node:buffer";
import { unlessMissing } from "./expected-errors.ts";
import { NotReadable, readBounded, readBoundedSync } from "./read-bounded.ts";

// Copies, restores and other programs of the account can put anything in the place of a file of the state folder. A pipe, a device or a folder there keeps
// no reader waiting, and is an error of that file alone.

/** No text is longer. */
const LARGEST_BYTES = constants.MAX_STRING_LENGTH;

/**
 * Reads a file of the state folder; undefined where there is none.
 * @throws NotReadable where it is no regular file, or too large
 */
export async function readStateFile(path: string, limitBytes: number = LARGEST_BYTES): Promise<Buffer | undefined> {
  return readBounded(path, { limitBytes }).catch(unlessAbsent);
}

/** The same at once. */
export function readStateFileSync(path: string, limitBytes: number = LARGEST_BYTES): Buffer | undefined {
  try {
    return readBoundedSync(path, limitBytes);
  } catch (error) {
    return unlessAbsent(error as NodeJS.ErrnoException);
  }
}

/** For `catch`: undefined for a file that is none. */
export function unlessNotReadable(error: unknown): undefined {
  if (!(error instanceof NotReadable)) throw error;
}

/** Of a folder, of a loop of links, and of a socket. */
const NO_FILE: readonly (string | undefined)[] = ["EISDIR", "ELOOP", "ENXIO"];

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (NO_FILE.includes(error.code)) throw new NotReadable();
  if (error instanceof NotReadable) throw error;
  return unlessMissing(error);
}
