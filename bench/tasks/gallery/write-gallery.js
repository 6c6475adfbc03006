import { readFile, writeFile } from "node:fs/promises";
import { format } from "prettier";
import { readTasks } from "../score/read-tasks.js";
import { printGallery } from "./print-gallery.js";

const PAGE = new URL("../../../docs/gallery.md", import.meta.url);

/** The page as the committed results make it. */
export async function makeGallery() {
  const results = JSON.parse(await readFile(new URL("../results.json", import.meta.url), "utf8"));
  return format(printGallery(await readTasks(), results), { parser: "markdown", printWidth: 120 });
}

/** Brings docs/gallery.md up to date. */
export async function writeGallery() {
  await writeFile(PAGE, await makeGallery());
}
