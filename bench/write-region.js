// Puts a table into its region of docs/openapi.md, which the benches of APIs write.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PAGE = fileURLToPath(new URL("../docs/openapi.md", import.meta.url));
const PRETTIER = fileURLToPath(new URL("../node_modules/prettier/bin/prettier.cjs", import.meta.url));

/** Replaces what is between `<!-- NAME -->` and `<!-- end of NAME -->`. */
export async function writeRegion(name, text) {
  const page = await readFile(PAGE, "utf8");
  const region = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  await writeFile(
    PAGE,
    page.replace(region, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
  await promisify(execFile)(process.execPath, [PRETTIER, "--write", PAGE]);
}
