// Puts a table into its region of docs/openapi.md, which the benches of APIs write.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { formatMarkdown } from "../scripts/readme/format-markdown.js";

const PAGE = fileURLToPath(new URL("../docs/openapi.md", import.meta.url));

/** Replaces what is between `<!-- NAME -->` and `<!-- end of NAME -->`. */
export async function writeRegion(name, text) {
  const page = await readFile(PAGE, "utf8");
  const region = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  const renewed = page.replace(region, (_, start, end) => `${start}\n${text}\n\n${end}`);
  await writeFile(PAGE, await formatMarkdown(renewed));
}
