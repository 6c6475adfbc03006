// Releases the packages of the repository in the current folder.
//
//   node scripts/release.js             checks everything and publishes nothing
//   node scripts/release.js --packages  checks versions and packages alone, as they are built now (for CI)
//   node scripts/release.js --publish   checks everything, then publishes; from CI, which alone can prove where a package comes from
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFunding } from "./release/find-funding.js";
import { findRepository } from "./release/find-repository.js";
import { findVersionProblems } from "./release/find-version-problems.js";
import { nameAddresses } from "./release/name-addresses.js";
import { tryPublish } from "./release/try-publish.js";

const root = process.cwd();
const { values: options } = parseArgs({ options: { packages: { type: "boolean" }, publish: { type: "boolean" } } });

/** In the order of publishing: a package comes after what it depends on. */
const FOLDERS = ["runtime/bindings", "openapi", "."];

const run = (command, ...words) => execFileSync(command, words, { cwd: root, encoding: "utf8" });
const runAloud = (folder, command, ...words) =>
  execFileSync(command, words, { cwd: join(root, folder), stdio: ["ignore", "inherit", "inherit"] });

const { version, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tag = `v${version}`;
const origin = options.publish ? findRepository(repository, process.env) : {};
const funding = findFunding(options.publish ? process.env : {});

const problems = await findVersionProblems(root);
if (!options.packages) {
  problems.push(...findRepositoryProblems());
  stopAt(problems);
  runAloud(".", "npm", "run", "build");
}
// The home of a clone is known where it is published, and npm compares it with the workflow's.
if (origin.url !== undefined) {
  process.once("exit", nameAddresses(root, FOLDERS, { repository: origin.url, funding: funding.url }));
}
for (const folder of FOLDERS) {
  const packed = await tryPublish(root, folder);
  problems.push(...packed.problems);
  const [size, unpacked] = [packed.size, packed.unpackedSize].map((bytes) => `${Math.ceil(bytes / 1000)} kB`);
  console.log(`${packed.name}@${packed.version}: ${packed.paths.length} files, ${size} packed, ${unpacked} unpacked`);
}
stopAt(problems);
if (options.publish) publish();
else if (!options.packages) printNext();

function findRepositoryProblems() {
  const found = [];
  if (run("git", "status", "--porcelain") !== "") found.push("the working tree is not clean: commit or stash first");
  const isTagged = run("git", "tag", "--list", tag).trim() === tag;
  const isHere = isTagged && run("git", "tag", "--points-at", "HEAD").split("\n").includes(tag);
  if (isTagged && !isHere) found.push(`the tag ${tag} is of another commit: raise the version`);
  if (!options.publish) return found;
  if (!isTagged) found.push(`there is no tag ${tag}: what is published must be found again`);
  return [...found, ...[origin, funding].flatMap(({ problem }) => (problem === undefined ? [] : [problem]))];
}

function publish() {
  for (const folder of FOLDERS) {
    runAloud(folder, "npm", "publish", "--ignore-scripts", "--access", "public", "--provenance");
  }
}

function printNext() {
  console.log(`
Nothing was published. Next:
  npm run test:all && npm run test:versions && npm run newcomer && npm run test:levels && npm run test:cases && npm run test:published && npm run test:applications && npm run test:documents && npm run test:pages
  git tag --annotate ${tag} --message "codemode ${version}" && git push origin ${tag}
and, in a CI job that may ask for an identity token (id-token: write):
  node scripts/release.js --publish`);
}

function stopAt(found) {
  if (found.length === 0) return;
  for (const problem of found) console.error(`error: ${problem}`);
  process.exit(1);
}
