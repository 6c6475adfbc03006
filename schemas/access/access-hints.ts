/** What to do if a file cannot be read or written, by the code of the operating system (POSIX). */
export const ACCESS_HINTS: ReadonlyMap<string, string> = new Map([
  ["EDQUOT", "Your quota on this disk is used up: make room, then run the same command again."],
  ["EFBIG", "The file would be larger than this process may write: raise that limit, then run the same command again."],
  ["ENOENT", "There is no such file or folder: check the path."],
  ["ENOSPC", "The disk is full: make room, then run the same command again."],
  ["EROFS", "The disk is mounted read-only: write to another folder, or run codemode where it may write."],
]);
