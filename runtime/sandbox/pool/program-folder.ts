import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder with the program of the sandbox process, as `scripts/build-sandbox.js` makes it. */
export function findProgramFolder(): string {
  const built = new URL("../../../sandbox/", import.meta.url);
  // When this file runs from its source, as in tests, the built program is in `dist`.
  const besideSources = new URL("../../../dist/sandbox/", import.meta.url);
  return fileURLToPath(existsSync(new URL("boot.cjs", built)) ? built : besideSources);
}
