// The pictures of the report page: of a run that ended well in light, and of one that failed in dark.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Above what a picture begins with, in pixels. */
const TOP = 30;

const SHOTS = [
  { name: "report-light", script: "links.ts", colorScheme: "light", call: 9, from: ".kind", height: 1135 },
  { name: "report-dark", script: "titles.ts", colorScheme: "dark", call: 2, from: "#time-line", height: 1150 },
];

/** Runs the scripts against this repository's own servers, and puts a picture of each report into a folder. */
export async function takeReportShots(browser, { root, images }) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-screenshots-"));
  try {
    for (const { name, script, colorScheme, call, from, height } of SHOTS) {
      const file = join(folder, `${name}.html`);
      await runScript(root, join("scripts/screenshots", script), file);
      const page = await browser.newPage({ viewport: { width: 1120, height }, colorScheme, reducedMotion: "reduce" });
      await page.goto(pathToFileURL(file).href);
      await page.locator(`a.timeline-call[data-call="${call}"]`).focus();
      const { y } = await page.locator(from).boundingBox();
      await page.evaluate(`scrollBy(0, ${y - TOP})`);
      await page.screenshot({ path: join(images, `${name}.png`) });
      await page.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One of the scripts is to fail: what counts is the page. */
function runScript(root, script, file) {
  const words = [join(root, "dist/cli/main.js"), "run", script, "--trust", "--report", file];
  return new Promise((settle) => {
    execFile(process.execPath, words, { cwd: root }, () => settle());
  });
}
