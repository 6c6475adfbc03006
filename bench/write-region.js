// Puts a table into its region of a page.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { formatMarkdown } from "../scripts/readme/format-markdown.js";

/** Replaces what is between `<!-- NAME -->` and `<!-- end of NAME -->` on a page of docs/. */
export async function writeRegion(page, name, text) {
  const file = fileURLToPath(new URL(`../docs/${page}`, import.meta.url));
  const region = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  const renewed = (await readFile(file, "utf8")).replace(region, (_, start, end) => `${start}\n${text}\n\n${end}`);
  await writeFile(file, await formatMarkdown(renewed));
}
