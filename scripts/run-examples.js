// Runs all examples in this repository and prints the table of examples/README.md: `node scripts/run-examples.js`.
// With names of examples it runs those; with --write it renews the table. It ends with 1 where an example does not do what it shows.
import { readFile, writeFile } from "node:fs/promises";
import { describeSaving } from "../dist/schemas/text/token-saving.js";
import { formatMarkdown } from "./readme/format-markdown.js";
import { EXAMPLES } from "./examples/list-examples.js";
import { measureExample } from "./examples/measure-example.js";

const PAGE = "examples/README.md";
const BEGIN = "<!-- measured -->";
const END = "<!-- end of measured -->";

const options = process.argv.slice(2);
const names = options.filter((option) => option !== "--write");
const rows = [];
for (const example of EXAMPLES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const measured = await measureExample(example);
  rows.push({ ...example, ...measured });
  if (measured.code === 0) continue;
  process.stderr.write(`${example.name} ended with ${measured.code}:\n${measured.printed}`);
  process.exitCode = 1;
}

const table = [
  "| example | what it shows | calls | plain tool calls | script | answer | script and answer |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
  ...rows.map(({ name, shows, calls, stayed, script, cameBack }) => {
    const link = `[${name}](${name})`;
    const saving = calls === undefined ? "" : describeSaving({ calls: stayed, script, answer: cameBack }).percent;
    return `| ${[link, shows, ...[calls, stayed, script, cameBack].map(toCell), saving].join(" | ")} |`;
  }),
].join("\n");

if (options.includes("--write") && process.exitCode === undefined) {
  const text = await readFile(PAGE, "utf8");
  const [before, rest] = [text.slice(0, text.indexOf(BEGIN) + BEGIN.length), text.slice(text.indexOf(END))];
  await writeFile(PAGE, await formatMarkdown(`${before}\n\n${table}\n\n${rest}`));
}
process.stdout.write(`${table}\n`);

function toCell(count) {
  return count === undefined ? "" : count.toLocaleString("en");
}
