// `npm run test:windows`: the built command on Windows, or on Linux under Wine; `-- --here` runs the same list with this Node.
// Under Wine NODE_FOR_WINDOWS is the path of node.exe (CONTRIBUTING.md says how to get it).
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const LONGEST_MS = 300_000;
const isWine = process.platform === "linux" && !process.argv.includes("--here");
const node = isWine ? findWindowsNode() : process.execPath;
/** As the started program sees a path of this machine. */
const seen = (path) => (isWine ? `Z:${path.replaceAll("/", "\\")}` : path);

const root = mkdtempSync(join(tmpdir(), "codemode-windows-"));
const project = join(root, "my app #1");
mkdirSync(join(project, "sub"), { recursive: true });
const write = (name, text) => writeFileSync(join(project, name), text);

const say = (line) => void process.stdout.write(`${line}\n`);

/** Runs the command. Wine hands only files on to the first process, so its streams are files everywhere. */
function codemode(args, { stdin = "", trust = "1" } = {}) {
  const files = ["in", "out", "err"].map((name) => join(root, name));
  write("../in", stdin);
  const streams = files.map((file, at) => openSync(file, at === 0 ? "r" : "w"));
  const words = [node, resolve("dist/cli/main.js"), ...args];
  const [command, ...rest] = isWine ? ["wine", seen(words[0]), seen(words[1]), ...args] : words;
  const env = { ...process.env, CODEMODE_TRUST: trust, XDG_STATE_HOME: seen(join(root, "state")), WINEDEBUG: "-all" };
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
 * What is tried, in this order. `native` needs junctions or native code, which Wine has not.
 *
 * @type {[string, () => boolean, "native"?][]}
 */
const TRIALS = [
  ["--version", () => codemode(["--version"]).stdout.startsWith("codemode/")],
  [
    "init",
    () => {
      // The links for editors, which come last, are junctions.
      const { status } = codemode(["init", "--from", "clients.json"]);
      return (
        readFileSync(join(project, "codemode.config.json"), "utf8").includes("@destructive") && (isWine || status === 0)
      );
    },
  ],
  ["an untrusted project is refused", () => codemode(["lock"], { trust: "" }).status === 2],
  ["remove", () => codemode(["remove", "unknown"]).status === 0],
  ["add", () => codemode(["add", "everything", "--", ...server]).status === 0],
  ["lock --check", () => codemode(["lock", "--check"]).status === 0],
  ["generate", () => codemode(["generate"]).status === 0, "native"],
  ["generate, again", () => codemode(["generate"]).status === 0, "native"],
  ["check", () => codemode(["check", "sum.ts"]).status === 0, "native"],
  ["run", () => codemode(["run", "sum.ts"]).stdout.includes("5"), "native"],
  ["run, with CRLF", () => codemode(["run", "crlf.ts"]).stdout === "3\n", "native"],
  ["run, by a whole path", () => codemode(["run", seen(join(project, "sum.ts"))]).status === 0, "native"],
  ["run, from below", () => codemode(["run", "../sum.ts", "--cwd", "sub"]).status === 0, "native"],
  ["the time limit", () => limitOf(["--timeout", "3000"], "for (;;);"), "native"],
  ["the memory limit", () => limitOf([], "const a = []; for (;;) a.push(new Array(1e6).fill(1));"), "native"],
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
for (const [name, holds, needs] of TRIALS) {
  if (isWine && needs === "native") {
    say(`lacks  ${name}`);
    continue;
  }
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

function findWindowsNode() {
  const path = process.env["NODE_FOR_WINDOWS"];
  if (path === undefined || spawnSync("wine", ["--version"]).status !== 0) {
    process.stderr.write(
      "Wine and NODE_FOR_WINDOWS are needed: see CONTRIBUTING.md, or run the list with `-- --here`.\n",
    );
    process.exit(2);
  }
  return resolve(path);
}
