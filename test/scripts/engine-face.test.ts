import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What the linter says of one file in a tree with the rules of this repository. */
async function lintPlanted(place: string, code: string): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), "codemode-face-"));
  const file = join(tree, place);
  await mkdir(dirname(file), { recursive: true });
  await copyFile(join(ROOT, ".oxlintrc.json"), join(tree, ".oxlintrc.json"));
  await writeFile(file, code);
  return new Promise((resolve) => {
    execFile(join(ROOT, "node_modules/.bin/oxlint"), [file], { cwd: tree }, (_error, stdout) => resolve(stdout));
  });
}

const INSIDE = "no-restricted-imports";

test.each([
  "cli/commands/planted.ts",
  "cli/planted.ts",
  "serve/planted.ts",
  "serve/http/planted.ts",
  "extras/ui/server/planted.ts",
])("an import from %s into the inside of the engine fails", async (place) => {
  const up = "../".repeat(place.split("/").length - 1);
  const imports = [
    `import { makeHost } from "${up}engine/run/make-host.ts";`,
    `import type { Pool } from "${up}runtime/sandbox/pool/pool.ts";`,
    `export { planServer } from "${up}templates/plan.ts";`,
    `export const late = async () => import("${up}engine/bundle/bundle-script.ts");`,
    `export { openEngine } from "${up}library/open-engine.ts";`,
    'export { connectServer } from "@codemode/runtime/connections/connect-server";',
  ];
  for (const line of imports) expect(await lintPlanted(place, `${line}\n`)).toContain(INSIDE);
  const allowed = [
    `export { openHost } from "${up}engine/open-host.ts";`,
    `export { openProject } from "${up}library/index.ts";`,
  ];
  expect(await lintPlanted(place, allowed.join("\n"))).not.toContain(INSIDE);
});
