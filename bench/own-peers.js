// Compares codemode with other systems that run code over functions of a program: `node bench/own-peers.js` prints a table, `--write` puts it into
// bench/own-peers/RESULTS.md. It needs a build, and installs the others in bench/own-peers.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PEERS } from "./own-peers/peers.js";
import { load } from "./suite/measure.js";
import { formatMarkdown } from "../scripts/readme/format-markdown.js";

const folder = fileURLToPath(new URL("own-peers", import.meta.url));
const probe = fileURLToPath(new URL("own-peers/probe.js", import.meta.url));
const TIMEOUT_MS = 120_000;
const TABLE_NOTES =
  "The context is what the system's own way gives a function, for 20 users at once. LangChain and UTCP have no mark for approvals; Cloudflare runs code in a Worker alone, so its script is evaluated in the program here. A misspelt field of a result is what a model reads the second time.";
const COLUMNS = [
  ["context of 20 users at once", ({ context }) => context],
  ["`AsyncLocalStorage`", ({ store }) => store],
  ["a tool that needs an approval", ({ approval }) => approval],
  ["an endless loop", ({ endless }) => endless],
  ["a misspelt field", ({ field }) => field && `\`${field.replaceAll("|", "\\|").replaceAll("`", "'")}\``],
  ["run with one call", ({ oneMs, failure }) => (oneMs ? `${oneMs.toFixed(1)} ms` : failure)],
  ["each further call", ({ callUs }) => callUs && `${Math.round(callUs)} µs`],
];

if (!existsSync(`${folder}/node_modules`)) {
  const npm = (...words) => spawnSync("npm", words, { cwd: folder, stdio: ["ignore", 2, 2] });
  // Some declare peers that no release of the others meets. Native code that cannot be built is one row.
  npm("ci", "--legacy-peer-deps", "--ignore-scripts");
  npm("rebuild", "node-24");
  npm("rebuild", "isolated-vm");
}
const rows = [];
for (const peer of PEERS) rows.push(await measure(peer));
const line = (cells) => `| ${cells.join(" | ")} |`;
const head = ["", ...COLUMNS.map(([title]) => title)];
const text = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
if (process.argv[2] === "--write") await writeFile(`${folder}/RESULTS.md`, await formatMarkdown(printPage(text)));
else console.log(text);

function printPage(table) {
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores`;
  return `# Code over functions of a program, side by side

Written by \`node bench/own-peers.js --write\` on ${new Date().toISOString().slice(0, 10)}: ${machine}, load ${load()}.

Three functions: one says who asks, one repeats a message, one has the mark of a tool that needs an approval, and no one is asked. ${TABLE_NOTES}

${table}
`;
}

/** One system in a process of its own: a finding each line, so that one that never ends has its others. */
async function measure({ name, package: packageName, nodeFlags = [], isOnThisNode = false }) {
  const node = isOnThisNode ? process.execPath : `${folder}/node_modules/node-24/bin/node`;
  // Mastra starts the `node` of the path.
  const env = { ...process.env, PATH: `${folder}/node_modules/node-24/bin:${process.env.PATH}` };
  const options = { env, timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(node, [...nodeFlags, probe, name], options).catch(
    (error) => error,
  );
  const lines = stdout.split("\n").filter((each) => each.startsWith("{"));
  const found = Object.assign({}, ...lines.map((each) => JSON.parse(each)));
  if (lines.length === 0) found.context = `left out: ${shorten(stderr)}`;
  if (lines.length > 0 && found.endless === undefined) found.endless = `never ended, and held the host`;
  return [label(name, packageName), ...COLUMNS.map(([, read]) => read(found) ?? "")];
}

function label(name, packageName) {
  if (packageName === undefined) return name;
  const { version } = JSON.parse(readFileSync(`${folder}/node_modules/${packageName}/package.json`, "utf8"));
  return `${name} ${version}`;
}

function shorten(text) {
  const said = /^\w*Error.*$/m.exec(text)?.[0] ?? text.split("\n")[0];
  return said.slice(0, 120);
}
