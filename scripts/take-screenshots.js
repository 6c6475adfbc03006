// Makes the pictures in docs/images, as they look in a real browser; needs what `npm run build` makes. Which pictures: all, or those whose names
// are given (`node scripts/take-screenshots.js report`).
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { takeReportShots } from "./screenshots/report.js";
import { takeUiShots } from "./screenshots/ui.js";

const SETS = { report: takeReportShots, ui: takeUiShots };

const root = fileURLToPath(new URL("..", import.meta.url));
const images = join(root, "docs/images");
process.chdir(root);
await mkdir(images, { recursive: true });

const wanted = process.argv.slice(2);
const browser = await openBrowser();
try {
  for (const [name, takeShots] of Object.entries(SETS)) {
    if (wanted.length === 0 || wanted.includes(name)) await takeShots(browser, { root, images });
  }
} finally {
  await browser.close();
}

/** The browser of the tests, whose module is TypeScript. */
async function openBrowser() {
  const file = join(root, "node_modules/.cache/codemode/open-browser.js");
  const input = join(root, "test/browser/open-browser.ts");
  const bundle = await rolldown({ input, platform: "node", external: ["playwright-core"] });
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  try {
    return await (await import(pathToFileURL(file).href)).openBrowser();
  } finally {
    await rm(file);
  }
}
