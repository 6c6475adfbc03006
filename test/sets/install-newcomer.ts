import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

/** What vitest runs once before `npm run newcomer`. */
export async function setup(): Promise<void> {
  const folders = ["test/newcomer", "test/node-versions", "test/publishing"];
  await Promise.all(folders.map((folder) => installPackages(resolve(folder))));
}
