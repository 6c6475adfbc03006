// Breaks each program of `started-programs.ts` in turn, as it was compiled, and expects the tests beside it to fail: npm run test:started [-- PROGRAM…]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { STARTED_BY } from "./started-programs.ts";

const SETS = ["fast", "fast-apart", "long", "published", "pages"].map((name) => `--project=${name}`);

const named = process.argv.slice(2);
const programs = Object.keys(STARTED_BY).filter((program) => named.length === 0 || named.includes(program));
const unseen = programs.filter((program) => !isSeen(program));
link();
for (const program of unseen) process.stderr.write(`${program} throws, and no test that stands beside it fails.\n`);
if (unseen.length > 0) process.exitCode = 1;

/** Whether one of its tests fails where a program throws. */
function isSeen(program: string): boolean {
  const compiled = placeOf(program);
  const code = readFileSync(compiled, "utf8");
  const tests = (STARTED_BY[program] ?? []).filter((file) => file.endsWith(".test.ts"));
  process.stdout.write(`${program}: ${tests.join(", ")}\n`);
  try {
    writeFileSync(compiled, `throw new Error("Broken for a test.");\n${code}`);
    // A page that throws is built; a sandbox that throws may end the build, which is seen as well.
    return (
      !link() || tests.some((test) => !succeeds("node_modules/vitest/vitest.mjs", "run", "--bail=1", ...SETS, test))
    );
  } finally {
    writeFileSync(compiled, code);
  }
}

/** Where the compiler writes a source. */
function placeOf(source: string): string {
  const folder = source.startsWith("runtime/bindings/") ? "runtime/bindings/dist" : "dist";
  const place = source.startsWith("openapi/") ? source.replace("openapi/", "openapi/dist/") : `${folder}/${source}`;
  return place.replace(/\.ts$/, ".js");
}

function link(): boolean {
  return succeeds("scripts/build-linked.js");
}

function succeeds(...args: string[]): boolean {
  return spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "ignore"] }).status === 0;
}
