import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the last run of the benchmarks measured, as `npm run bench` writes it; nothing where there was none. */
export async function readResults(root) {
  const file = join(root, "bench/results.json");
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : { sections: [] };
}
