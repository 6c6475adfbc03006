import { readFile, writeFile } from "node:fs/promises";
import { formatMarkdown } from "../../../scripts/readme/format-markdown.js";
import { readTasks } from "../score/read-tasks.js";
import { printGallery } from "./print-gallery.js";

const PAGE = new URL("../../../docs/gallery.md", import.meta.url);

/** The page as the committed results make it. */
export async function makeGallery() {
  const results = JSON.parse(await readFile(new URL("../results.json", import.meta.url), "utf8"));
  return formatMarkdown(printGallery(await readTasks(), results));
}

/** Brings docs/gallery.md up to date. */
export async function writeGallery() {
  await writeFile(PAGE, await makeGallery());
}
