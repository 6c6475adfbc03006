import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file of settings, with the folders above it. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
