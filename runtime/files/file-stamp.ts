import { statSync, type Stats } from "node:fs";

/** What changes whenever a file is another one or is written: the kernel sets the last time on each change, and no program can set that time. */
export function toStamp({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * Two changes of a file within one tick of the file system's clock give the same stamp. The coarsest clocks in use tick every two
 * seconds (FAT), so a younger stamp proves nothing.
 */
const RACY_MS = 2000;

/**
 * The stamp of a file that has the same content as long as it has this stamp; of a link, the stamp of the file it leads to. Undefined where
 * the stamp could be the same after a change, and where no file can be seen. Read it before the content.
 */
export function readProvingStamp(file: string): string | undefined {
  try {
    const stats = statSync(file);
    return stats.ctimeMs < Date.now() - RACY_MS ? toStamp(stats) : undefined;
  } catch {
    return undefined;
  }
}
