import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** What is published of this repository. */
const FOLDERS = [".", "./runtime/bindings", "./openapi"];

/** Packs the packages of this repository, as they are built, into a new folder. The scripts of the package would build it again. */
export async function packRepository(folder: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  await mkdir(folder);
  const words = ["pack", "--ignore-scripts", "--pack-destination", folder, ...FOLDERS];
  await promisify(execFile)("npm", words, { env: environment });
  return (await readdir(folder)).map((file) => join(folder, file));
}
