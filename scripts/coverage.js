// Measures which lines and branches of each layer the fast tests run: `npm run coverage`, after a build. Words after `--` are test files, in place
// of all. `--write` puts the table into CONTRIBUTING.md. What runs in processes of its own (sandbox, bundler, checker, commands) is not counted.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { formatMarkdown } from "./readme/format-markdown.js";
import { printCoverage, sumByLayer } from "./sum-coverage.js";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const files = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const words = [
  ...["run", "--project=fast", "--project=fast-apart", ...files],
  ...["--coverage.enabled", "--coverage.provider=v8", "--coverage.reporter=json-summary"],
  ...["--coverage.reportsDirectory=coverage/layers", "--coverage.reportOnFailure"],
  "--coverage.include={schemas,templates,runtime,engine,extras,serve,library,cli}/**/*.ts",
];
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, ...words], { cwd: root, stdio: ["ignore", 2, 2] });
const summary = JSON.parse(await readFile(`${root}/coverage/layers/coverage-summary.json`, "utf8"));
const table = printCoverage(sumByLayer(summary, root));
process.stdout.write(`${table}\n`);
if (process.argv.includes("--write")) {
  const page = `${root}/CONTRIBUTING.md`;
  const text = (await readFile(page, "utf8")).replace(
    /(<!-- coverage -->\n)[\s\S]*?(<!-- end of coverage -->)/,
    (_, begin, end) => `${begin}\n${table}\n\n${end}`,
  );
  await writeFile(page, await formatMarkdown(text));
}
process.exitCode = status ?? 1;
