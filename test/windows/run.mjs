// `npm run test:windows`: the built command on Windows, or on Linux under Wine; `-- --here` runs the same list with this Node.
// Under Wine it needs `wine` and a C compiler for Windows (CONTRIBUTING.md says how to get them), and makes the rest by itself.
import { spawnSync } from "node:child_process";
import { prepareWine } from "./prepare-wine.mjs";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const LONGEST_MS = 300_000;
const isWine = process.platform === "linux" && !process.argv.includes("--here");
const root = mkdtempSync(join(tmpdir(), "codemode-windows-"));
const wine = isWine ? prepareWine(root) : undefined;
const node = wine?.node ?? process.execPath;
const program = wine?.program ?? resolve("dist/cli/main.js");
/** As the started program sees a path of this machine. */
const seen = (path) => (isWine ? `Z:${path.replaceAll("/", "\\")}` : path);

const project = join(root, "my app #1");
mkdirSync(join(project, "sub"), { recursive: true });
const write = (name, text) => writeFileSync(join(project, name), text);

const say = (line) => void process.stdout.write(`${line}\n`);

/** Runs the command. Wine hands only files on to the first process, so its streams are files everywhere. */
function codemode(args, { stdin = "", trust = "1" } = {}) {
  const files = ["in", "out", "err"].map((name) => join(root, name));
  write("../in", stdin);
  const streams = files.map((file, at) => openSync(file, at === 0 ? "r" : "w"));
  const words = [node, program, ...args];
  const [command, ...rest] = isWine ? ["wine", seen(words[0]), seen(words[1]), ...args] : words;
  const own = { CODEMODE_TRUST: trust, XDG_STATE_HOME: seen(join(root, "state")) };
  const env = { ...process.env, ...own, ...wine?.env };
  const { status } = spawnSync(command, rest, { cwd: project, env, stdio: streams, timeout: LONGEST_MS });
  streams.forEach(closeSync);
  const [, stdout, stderr] = files.map((file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  return { status, stdout, stderr };
}

const server = [seen(node), seen(resolve("test/servers/stand-in.mjs")), "everything"];
const sum = 'import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 2, b: 3 });';
const request = (id, method, params) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const clientInfo = { name: "test", version: "1" };
const limitOf = (args, code) => {
  const { stdout } = codemode(["run", "--json", ...args, "--eval", code]);
  return JSON.parse(stdout).diagnostics[0].code === "SANDBOX_LIMIT";
};

/**
 * What is tried, in this order.
 *
 * @type {[string, () => boolean][]}
 */
const TRIALS = [
  ["--version", () => codemode(["--version"]).stdout.startsWith("codemode/")],
  [
    "init",
    () => {
      const { status } = codemode(["init", "--from", "clients.json"]);
      return status === 0 && readFileSync(join(project, "codemode.config.json"), "utf8").includes("@destructive");
    },
  ],
  ["an untrusted project is refused", () => codemode(["lock"], { trust: "" }).status === 2],
  ["remove", () => codemode(["remove", "unknown"]).status === 0],
  ["add", () => codemode(["add", "everything", "--", ...server]).status === 0],
  ["lock --check", () => codemode(["lock", "--check"]).status === 0],
  ["generate", () => codemode(["generate"]).status === 0],
  ["generate, again", () => codemode(["generate"]).status === 0],
  ["check", () => codemode(["check", "sum.ts"]).status === 0],
  ["run", () => codemode(["run", "sum.ts"]).stdout.includes("5")],
  ["run, with CRLF", () => codemode(["run", "crlf.ts"]).stdout === "3\n"],
  ["run, by a whole path", () => codemode(["run", seen(join(project, "sum.ts"))]).status === 0],
  ["run, from below", () => codemode(["run", "../sum.ts", "--cwd", "sub"]).status === 0],
  ["the time limit", () => limitOf(["--timeout", "3000"], "for (;;);")],
  ["the memory limit", () => limitOf([], "const a = []; for (;;) a.push(new Array(1e6).fill(1));")],
  [
    "serve",
    () => {
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      const stdin = request(1, "initialize", params) + request(2, "tools/list", {});
      return codemode(["serve"], { stdin }).stdout.includes("codemode.run");
    },
  ],
  // Wine adds variables of its own.
  ["doctor", () => /environment +(?:empty|has (?:WINE\w+(?:, )?)+)$/m.test(codemode(["doctor"]).stdout)],
  ["install", () => codemode(["install", "cursor"]).status === 0],
  ["uninstall", () => codemode(["uninstall", "cursor"]).status === 0],
];

write("clients.json", JSON.stringify({ mcpServers: { unknown: { command: "x" } } }));
write("sum.ts", sum);
write("crlf.ts", "const a = 1;\r\nconst b = 2;\r\nexport default a + b;\r\n");
let failed = 0;
for (const [name, holds] of TRIALS) {
  let isRight = false;
  let problem = "";
  try {
    isRight = holds();
    if (!isRight) problem = readFileSync(join(root, "err"), "utf8") + readFileSync(join(root, "out"), "utf8");
  } catch (error) {
    problem = String(error);
  }
  failed += isRight ? 0 : 1;
  say(`${isRight ? "ok    " : "FAILED"} ${name}${problem === "" ? "" : `: ${problem.slice(0, 500)}`}`);
}
rmSync(root, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = failed === 0 ? 0 : 1;
