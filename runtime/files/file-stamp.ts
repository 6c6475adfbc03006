import type { Stats } from "node:fs";

/** What changes whenever a file is another one or is written: the kernel sets the last time on each change, and no program can set that time. */
export function toStamp({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
