import type { CodemodeError } from "./codemode-error.ts";
import { fileInaccessible, packageMissing } from "./errors.ts";

// Errors of Node that a user can fix, as those of codemode.

/**
 * `FILE_INACCESSIBLE` of an error that Node throws for the file system, where the machine or its user has the remedy; undefined for every other error.
 * @param place what was worked with, where the error names no path
 */
export function toFileError(error: unknown, place?: string): CodemodeError | undefined {
  const { syscall, code, path } = error as Partial<NodeFileError>;
  if (!(error instanceof Error) || syscall === undefined || code === undefined || !FILE_CODES.has(code))
    return undefined;
  return fileInaccessible(path ?? place ?? `a file of codemode (${syscall})`, code);
}

/** As Node throws it. */
interface NodeFileError {
  syscall: string;
  code: string;
  path?: string;
}

const FILE_CODES = new Set(
  "EACCES EBUSY EDQUOT EFBIG EIO ELOOP EMFILE ENAMETOOLONG ENFILE ENOENT ENOSPC ENOTDIR EPERM EROFS".split(" "),
);

/** `PACKAGE_MISSING` for an `import` of a package that is not installed; every other error of it stays as it is. */
export const asPackageMissing = (error: unknown, need: string, name: string): unknown =>
  /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String((error as { code?: unknown }).code)) ? packageMissing(need, name) : error;
