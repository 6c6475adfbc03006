import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

/** What vitest runs once before `npm run test:pages`. */
export async function setup(): Promise<void> {
  await installPackages(resolve("test/browser"));
}
