// Brings what README.md takes from elsewhere up to date: `node scripts/write-readme-tables.js [FOLDER]`. The binding comes from generated/, the
// numbers from bench/RESULTS.md, docs/ and examples/. With --check it writes nothing, and ends with 1 where something is not as it is there.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { TABLES } from "./readme/print-tables.js";

const [root = "."] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const file = join(root, "README.md");
const text = await readFile(file, "utf8");
const renewed = await renew(text);

if (!process.argv.includes("--check")) await writeFile(file, renewed);
else if (renewed !== text) {
  const lines = new Set(renewed.split("\n"));
  const old = text.split("\n").filter((line) => !lines.has(line));
  process.stderr.write(
    `README.md is not up to date; run node scripts/write-readme-tables.js. Outdated:\n${old.join("\n")}\n`,
  );
  process.exitCode = 1;
}

async function renew(page) {
  const lines = [];
  let name;
  for (const line of page.split("\n")) {
    const isEnd = line === "<!-- end of table -->";
    if (name === undefined || isEnd) lines.push(line);
    if (isEnd) name = undefined;
    const begins = /^<!-- table: (\w+) -->$/.exec(line)?.[1];
    if (begins === undefined) continue;
    if (TABLES[begins] === undefined) throw new Error(`README.md has a mark for "${begins}", which nothing prints.`);
    lines.push("", await TABLES[begins](root), "");
    name = begins;
  }
  if (name !== undefined) throw new Error(`The table "${name}" in README.md has no end.`);
  return format(lines.join("\n"), { parser: "markdown", printWidth: 120 });
}
