import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

/** What vitest runs once before `npm run test:published`. */
export async function setup(): Promise<void> {
  const folders = ["bench/tasks", "site", "test/browser", "test/frameworks", "test/publishing"];
  await Promise.all(folders.map((folder) => installPackages(resolve(folder))));
}
