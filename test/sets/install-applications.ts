import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

/** What vitest runs once before `npm run test:applications`. */
export async function setup(): Promise<void> {
  const folders = ["test/openapi/apis", "test/openapi/documents", "test/publishing", "test/web-frameworks"];
  await Promise.all(folders.map((folder) => installPackages(resolve(folder))));
}
