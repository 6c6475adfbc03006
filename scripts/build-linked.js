// Links what the compiler has written: pages, sandbox, program and declarations. Where neither what they are made of nor what was made has
// changed since the last time, it does nothing: `npm ci` has built what `npm test` builds again.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const kept = join(root, "node_modules/.cache/codemode/built.json");
/** The last one reads what the others list. */
const STEPS = [
  ["build:pages", "build:sandbox", "build:program", "build:openapi", "build:declarations"],
  ["build:bill"],
];
const SOURCES = [
  ...["scripts", "schemas", "extras/ui", "package.json", "node_modules/.package-lock.json"],
  ...["runtime/bindings/package.json", "openapi/package.json"],
];
const OUTPUTS = ["dist", "runtime/bindings/dist", "openapi/dist"];

/** Places, sizes and times of files. */
function look(places, isMeant = () => true) {
  const files = places.filter((place) => existsSync(join(root, place))).flatMap((place) => listFiles(place));
  return files.filter(isMeant).map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return `${file} ${size} ${mtimeMs}`;
  });
}

function listFiles(place) {
  if (statSync(join(root, place)).isFile()) return [place];
  const names = readdirSync(join(root, place), { recursive: true, encoding: "utf8" }).map((name) => join(place, name));
  return names.filter((name) => statSync(join(root, name)).isFile());
}

/** The compiler keeps what it has read of its sources in files of its own, which it writes whenever it writes anything. */
const lookAtSources = () => [
  process.version,
  ...look(SOURCES),
  ...look(OUTPUTS, (file) => file.endsWith(".tsbuildinfo")),
];

const sources = lookAtSources();
const print = () => JSON.stringify([sources, look(OUTPUTS)]);
if (existsSync(kept) && readFileSync(kept, "utf8") === print()) process.exit();

rmSync(kept, { force: true });
const runner = join(root, "scripts/run-at-once.js");
for (const steps of STEPS) {
  const { status } = spawnSync(process.execPath, [runner, ...steps], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
mkdirSync(dirname(kept), { recursive: true });
// What was changed in the meantime may be in it or not.
if (JSON.stringify(lookAtSources()) === JSON.stringify(sources)) writeFileSync(kept, print());
