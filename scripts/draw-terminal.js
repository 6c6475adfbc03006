// Draws what `codemode try` prints as the picture of the README, for light and dark: `node scripts/draw-terminal.js`. With --check it writes nothing, reads
// what was printed from standard input, and ends with 1 where the picture shows something else. Times are left out: they are others in every run.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const PICTURE = "docs/images/try.svg";
const [WIDTH, LINE, LEFT, TOP] = [960, 19, 20, 62];
const DESCRIPTION =
  "A terminal after codemode try. A task over three servers, the script that an agent writes for it, its run with 28 calls in a sandbox, the tokens that it takes with plain tool calls and with codemode, and a server whose changed description stops the next run.";

const isCheck = process.argv.includes("--check");
const screen = isCheck
  ? readFileSync(0, "utf8")
  : execFileSync(process.execPath, ["dist/cli/main.js", "try"], { encoding: "utf8" });
const lines = screen
  .split("\nStart with your own servers")[0]
  .trimEnd()
  .replace(/ in \d+\.\d s,/, ",")
  .split("\n");
const drawn = draw(lines);

if (!isCheck) writeFileSync(PICTURE, drawn);
else if (readFileSync(PICTURE, "utf8") !== drawn) {
  process.stderr.write(`${PICTURE} shows something else: node scripts/draw-terminal.js\n`);
  process.exitCode = 1;
}

function draw(rows) {
  const height = TOP + (rows.length + 1) * LINE;
  const texts = rows.map((row, at) => drawLine(row, TOP + (at + 1) * LINE));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description">
  <title id="title">codemode try</title>
  <desc id="description">${DESCRIPTION}</desc>
  <style>
    text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
    .head { fill: #0969da; font-weight: 600; }
    .code { fill: #59636e; }
    .stop { fill: #cf222e; }
    .window { fill: #f6f8fa; stroke: #d1d9e0; }
    .dot { fill: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .head { fill: #4493f8; }
      .code { fill: #9198a1; }
      .stop { fill: #f85149; }
      .window { fill: #0d1117; stroke: #3d444d; }
      .dot { fill: #3d444d; }
    }
  </style>
  <rect class="window" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
  <circle class="dot" cx="22" cy="20" r="6"/><circle class="dot" cx="42" cy="20" r="6"/><circle class="dot" cx="62" cy="20" r="6"/>
  <text x="${LEFT}" y="52">$ npx codemode try</text>
${texts.filter((text) => text !== "").join("\n")}
</svg>
`;
}

function drawLine(row, y) {
  const [, head = "", rest = ""] = /^(\S+\s+|\s*)(.*)$/.exec(row) ?? [];
  if (rest === "") return "";
  const isHead = head.trim() !== "";
  const kind = /^[A-Z]+_[A-Z_]+:/.test(rest) ? "stop" : isCode(rest) ? "code" : undefined;
  const body = `<tspan${kind === undefined ? "" : ` class="${kind}"`}>${escape(rest)}</tspan>`;
  const [x, label] = isHead ? [LEFT, `<tspan class="head">${escape(head)}</tspan>`] : [LEFT + head.length * 7.83, ""];
  return `  <text x="${x}" y="${y}" xml:space="preserve">${label}${body}</text>`;
}

function isCode(text) {
  return /^(?:import|const|for|export) /.test(text);
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
