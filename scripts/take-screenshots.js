// Takes pictures of all states of the page of `codemode ui` and of the report, light and dark, 1280 and 400 pixels wide, in a real browser; needs
// what `npm run build` makes. docs/images gets the ones that the documentation shows, and a sheet with all of them, reduced. `--all FOLDER` keeps each
// picture in its full size.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

// The browser, and what durable runs and approvals are made with, are TypeScript.
await import("../test/strip-types.mjs");
const { openBrowser } = await import("../test/browser/open-browser.ts");
const { takeReportStates } = await import("./screenshots/report-states.js");
const { takePageStates } = await import("./screenshots/page-states.js");
const { makeSheet } = await import("./screenshots/make-sheet.js");
const { reducePictures } = await import("./screenshots/reduce-pictures.js");

const { values } = parseArgs({ options: { all: { type: "string" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const images = join(root, "docs/images");
const temporary = await mkdtemp(join(tmpdir(), "codemode-screenshots-"));
const all = values.all === undefined ? join(temporary, "all") : resolve(values.all);
process.chdir(root);
// Approvals of this account stay out of the pictures, and what the pictures need out of the account.
process.env.XDG_STATE_HOME = join(temporary, "state");
await mkdir(all, { recursive: true });

const browser = await openBrowser();
try {
  const request = { root, temporary, all, images };
  const sets = { report: await takeReportStates(browser, request), page: await takePageStates(browser, request) };
  for (const [name, states] of Object.entries(sets)) await makeSheet(browser, { name, states, all, images });
  await reducePictures(browser, images);
} finally {
  await browser.close();
  await rm(temporary, { recursive: true, force: true });
}
