// Draws docs/images/compared.svg from bench/results.json: `node scripts/draw-comparison.js`, as `npm run docs` does. With --check it writes nothing, and
// ends with 1 where the picture does not show the results.
import { readFile, writeFile } from "node:fs/promises";
import { drawComparison } from "./readme/draw-comparison.js";
import { readResults } from "./readme/read-results.js";

const FILE = "docs/images/compared.svg";

const picture = drawComparison(await readResults("."));
if (!process.argv.includes("--check")) await writeFile(FILE, picture);
else if ((await readFile(FILE, "utf8")) !== picture) {
  process.stderr.write(`${FILE} is not up to date; run node scripts/draw-comparison.js.\n`);
  process.exitCode = 1;
}
