// Usage: node --import ./test/strip-types.mjs test/sets/install.ts FOLDER…
import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

for (const folder of process.argv.slice(2)) await installPackages(resolve(folder));
