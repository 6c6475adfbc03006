// Puts a table into its region of a page, which the benches of APIs and of own tools write.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { formatMarkdown } from "../scripts/readme/format-markdown.js";

/** Replaces what is between `<!-- NAME -->` and `<!-- end of NAME -->` of a page in `docs`. */
export async function writeRegion(name, text, pageName = "openapi.md") {
  const file = fileURLToPath(new URL(`../docs/${pageName}`, import.meta.url));
  const page = await readFile(file, "utf8");
  const region = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  const renewed = page.replace(region, (_, start, end) => `${start}\n${text}\n\n${end}`);
  await writeFile(file, await formatMarkdown(renewed));
}
