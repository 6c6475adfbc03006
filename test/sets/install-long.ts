import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

/** Programs that only long tests start: each folder has a package and a lockfile of its own. */
const FOLDERS = ["test/node-versions"];

/** What vitest runs once before the first long test. */
export async function setup(): Promise<void> {
  await Promise.all(FOLDERS.map((folder) => installPackages(resolve(folder))));
}
