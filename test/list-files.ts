import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The files below a folder, without those in folders of these names: packages beside tests are many times the tests. */
export function listFiles(folder: string, skipped: ReadonlySet<string> = new Set(["node_modules"])): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path, skipped);
    return entry.isFile() ? [path] : [];
  });
}
