import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { makeReporter } from "../../../dist/extras/ui/report/collect/report-file.js";
import { findBrowser } from "../../../test/browser/open-browser.ts";
import { SHOWN } from "./print-gallery.js";

const IMAGES = fileURLToPath(new URL("../../../docs/images/tasks/", import.meta.url));

/** Runs the shown tasks with a report, and puts a picture of each time line into docs/images/tasks. */
export async function takePictures({ engine, project, world }, tasks) {
  await mkdir(IMAGES, { recursive: true });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  try {
    for (const { id, script } of tasks.filter((task) => SHOWN.includes(task.id))) {
      await world.reset();
      const source = { name: `${id}.ts`, code: world.fillIn(script) };
      const file = join(project.folder, `${id}.html`);
      const reporter = makeReporter({ path: file, payloads: false }, project.folder);
      await reporter.write(await engine.run(source, { onEvent: reporter.onEvent }), source);
      const page = await browser.newPage({ viewport: { width: 960, height: 800 }, colorScheme: "light" });
      await page.goto(pathToFileURL(file).href);
      await page
        .locator("section", { has: page.locator("#time-line") })
        .screenshot({ path: join(IMAGES, `${id}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
