/** What to do if a file cannot be read or written, by the code of the operating system (POSIX). */
const ACCESS_HINTS: ReadonlyMap<string, string> = new Map([
  ["EBUSY", "Another program has it open: close that, then run the same command again."],
  ["EDQUOT", "Your quota on this disk is used up: make room, then run the same command again."],
  ["EFBIG", "The file would be larger than this process may write: raise that limit, then run the same command again."],
  ["EMFILE", "The process has too many files open: raise its limit (`ulimit -n`), then run the same command again."],
  ["ENFILE", "The machine has too many files open: end other programs, then run the same command again."],
  ["ENOENT", "There is no such file or folder: check the path."],
  ["ENOSPC", "The disk is full: make room, then run the same command again."],
  [
    "EPERM",
    "Another program may have it open, or your account may not write it: see which, then run the same command again.",
  ],
  ["EROFS", "The disk is mounted read-only: write to another folder, or run codemode where it may write."],
]);

/** What to do where the operating system refuses with this code; undefined for one that says no more than that it does. */
export const accessHint = (code: string | undefined): string | undefined => ACCESS_HINTS.get(code ?? "");
