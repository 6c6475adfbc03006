import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSharedFolder } from "../make-test-folder.ts";
import { emitLockfile } from "./emit-lockfile.ts";
import { lockRecordings } from "./lockfile-of.ts";

export const GOLDEN = new URL("../golden/", import.meta.url);
/** What the project of the package compiles: its declarations, and scripts that use them. */
export const INCLUDED = ["servers/**/*.d.ts", join(fileURLToPath(GOLDEN), "consumers/*.ts")];

/** The recorded servers and the hand-written cases of test/golden/cases, and all files that are generated for them. */
export const goldenLockfile = lockRecordings(new URL("cases/", GOLDEN));
export const goldenFiles = await emitLockfile(goldenLockfile);

/**
 * A folder with these files in `servers/`, for the tests of one file: Node finds the runtime there, and projects that extend its
 * tsconfig.json are compiled as strictly as possible.
 */
export async function writeGoldenPackage(): Promise<string> {
  const folder = await makeSharedFolder();
  const files = goldenFiles.map(({ path, text }) => ({ path: join(folder, "servers", path), text }));
  await Promise.all(
    [...new Set(files.map(({ path }) => dirname(path)))].map((path) => mkdir(path, { recursive: true })),
  );
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings(folder)));
  return folder;
}

function settings(folder: string): object {
  const golden = fileURLToPath(GOLDEN);
  return {
    extends: join(golden, "tsconfig.json"),
    compilerOptions: {
      paths: {
        "@codemode/servers/*": [join(folder, "servers/*/index.d.ts")],
        "@codemode/runtime/results": [resolve("runtime/bindings/dist/runtime/bindings/results.d.ts")],
      },
    },
    include: INCLUDED,
  };
}
