// Stands in for npm and npx where pages are tried: takes packages from this repository's node_modules, and never the network.
// node offline-npm.mjs REPOSITORY exec [-y] PACKAGE [ARGUMENTS…]  runs a package's program, as npx does
// node offline-npm.mjs REPOSITORY install [-D] PACKAGE…           links packages into ./node_modules, as npm install does
// node offline-npm.mjs REPOSITORY init -y                         writes a package.json
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

const [repository, command, ...words] = process.argv.slice(2);
const isOption = (word) => word.startsWith("-");
const nameOf = (spec) => (/\/codemode-[^/]*\.tgz$/.test(spec) ? "codemode" : spec.replace(/(?<=.)@[^@/]*$/, ""));

if (command === "exec") runProgram();
else if (command === "install" || command === "i") installPackages();
else if (command === "init") writeManifest();
else fail(`npm ${command}: pages that need it are not run here`);

function runProgram() {
  const at = words.findIndex((word) => !isOption(word));
  const name = nameOf(words[at] ?? "");
  const { folder, manifest } = findPackage(name);
  // Where npx keeps what it fetched; codemode reads there which version ran.
  link(folder, join(homedir(), ".npm", "_npx", "0000000000000000", "node_modules", name));
  const program = programsOf(manifest).values().next().value;
  if (program === undefined) fail(`npx: ${name} has no program`);
  const child = spawn(process.execPath, [join(folder, program), ...words.slice(at + 1)], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 143)));
}

function installPackages() {
  const names = words.filter((word) => !isOption(word)).map(nameOf);
  for (const name of names) {
    const { folder, manifest } = findPackage(name);
    link(folder, join("node_modules", name));
    for (const [program, file] of programsOf(manifest)) link(join(folder, file), join("node_modules", ".bin", program));
  }
  process.stdout.write(`\nadded ${names.length} package${names.length === 1 ? "" : "s"} in 1s\n`);
}

function writeManifest() {
  const text = `${JSON.stringify({ name: basename(process.cwd()), version: "1.0.0" }, null, 2)}\n`;
  writeFileSync("package.json", text);
  process.stdout.write(`Wrote to ${join(process.cwd(), "package.json")}:\n\n${text}\n`);
}

function findPackage(name) {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) fail(`"${name}" is no name of a package`);
  const installed = join(repository, "node_modules", name);
  const folder = name === "codemode" ? repository : installed;
  if (!existsSync(join(folder, "package.json")))
    fail(`${name} is not installed in this repository, and the network is not used`);
  return { folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
}

function programsOf({ name, bin = {} }) {
  return new Map(typeof bin === "string" ? [[basename(name), bin]] : Object.entries(bin));
}

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
