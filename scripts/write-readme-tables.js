// Brings what pages take from elsewhere up to date: `node scripts/write-readme-tables.js [FOLDER]`. Tables stand between marks in README.md and
// in docs/: the binding comes from generated/, the numbers from bench/results.json, docs/ and examples/. Every page can quote a
// figure of the benchmarks. With --check it writes nothing, and ends with 1 where something is not as it is there.
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatMarkdown } from "./readme/format-markdown.js";
import { TABLES } from "./readme/print-tables.js";
import { quoteFigures } from "./readme/quote-figures.js";
import { readResults } from "./readme/read-results.js";

const [root = "."] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const isCheck = process.argv.includes("--check");
const results = await readResults(root);
const messages = [];
for (const page of listPages()) {
  const text = await readFile(join(root, page), "utf8");
  if (!/<!-- (?:table|bench): /.test(text)) continue;
  const renewed = await renew(page, text).catch((error) => {
    messages.push(`${page}: ${error.message}`);
    return text;
  });
  if (renewed === text) continue;
  if (!isCheck) await writeFile(join(root, page), renewed);
  else messages.push(describeOutdated(page, text, renewed));
}
if (messages.length > 0) {
  process.stderr.write(`${messages.join("\n")}\n`);
  process.exitCode = 1;
}

/** Decisions are left out: they stay as they were written. */
function listPages() {
  const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const pages = ["README.md", "SECURITY.md", ...docs.map((name) => `docs/${name}`)];
  return pages.filter((page) => existsSync(join(root, page)));
}

function describeOutdated(page, text, renewed) {
  const lines = new Set(renewed.split("\n"));
  const old = text.split("\n").filter((line) => !lines.has(line));
  return `${page} is not up to date; run node scripts/write-readme-tables.js. Outdated:\n${old.join("\n")}`;
}

async function renew(name, page) {
  const lines = [];
  let table;
  for (const line of page.split("\n")) {
    const isEnd = line === "<!-- end of table -->";
    if (table === undefined || isEnd) lines.push(line);
    if (isEnd) table = undefined;
    const begins = /^<!-- table: (\w+) -->$/.exec(line)?.[1];
    if (begins === undefined) continue;
    if (TABLES[begins] === undefined) throw new Error(`${name} has a mark for "${begins}", which nothing prints.`);
    lines.push("", await TABLES[begins](root), "");
    table = begins;
  }
  if (table !== undefined) throw new Error(`The table "${table}" in ${name} has no end.`);
  return formatMarkdown(quoteFigures(lines.join("\n"), results));
}
