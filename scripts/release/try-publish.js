import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What must be in every package, and what in none: tests, sources, source maps, records of the compiler, secrets. */
const NEEDED = ["LICENSE", "README.md", "package.json"];
const UNWANTED =
  /(?:^|\/)(?:test|tests|node_modules|\.npmrc|\.env[^/]*)(?:\/|$)|\.test\.|\.map$|\.tsbuildinfo$|(?<!\.d)\.[cm]?ts$/;

/** npm asks about each of them where the package is installed, also about the last one, which would not run there. */
const SCRIPTS_OF_INSTALLS = ["preinstall", "install", "postinstall", "prepare"];

/** Lets npm do everything up to sending a package, which needs no network. Returns what it would send, with what is wrong about it. */
export async function tryPublish(root, folder) {
  const flags = ["--dry-run", "--ignore-scripts", "--json", "--access", "public"];
  // npm asks the registry which version is the latest, and goes on without an answer: once is enough.
  const { stdout } = await promisify(execFile)("npm", ["publish", ...flags, "--fetch-retries", "0"], {
    cwd: join(root, folder),
    maxBuffer: 16 * 1024 * 1024,
  });
  const [packed] = Object.values(JSON.parse(stdout));
  const paths = packed.files.map(({ path }) => path);
  const problems = [
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => UNWANTED.test(path)).map((path) => `${path} does not belong into a package`),
    ...(await findInstallScripts(join(root, folder))),
    ...(await findMachinePaths(root, folder, paths)),
  ];
  const { name, version, size, unpackedSize } = packed;
  return { name, version, size, unpackedSize, paths, problems: problems.map((problem) => `${name}: ${problem}`) };
}

async function findInstallScripts(folder) {
  const { scripts = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return SCRIPTS_OF_INSTALLS.filter((name) => Object.hasOwn(scripts, name)).map(
    (name) => `npm asks users of the package about its script "${name}"`,
  );
}

/** Files that tell where they were made, or name a source map that is not there. */
async function findMachinePaths(root, folder, paths) {
  const machine = [root, homedir()].map((path) => `${path}/`).filter((path) => path.length > 2);
  const findings = paths.map(async (path) => {
    const text = await readFile(join(root, folder, path), "utf8");
    const places = machine.filter((place) => text.includes(place)).map((place) => `${path} names ${place}`);
    return /^\/\/# sourceMappingURL=/m.test(text) ? [...places, `${path} names a source map`] : places;
  });
  return (await Promise.all(findings)).flat();
}
