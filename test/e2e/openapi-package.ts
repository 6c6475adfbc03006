import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { typeCommand } from "./open-commands.ts";
import type { Finished, RunOptions } from "./run-codemode.ts";

/** Lets `npx` find the package of this repository in a folder, as after `npm install @codemode/openapi`. */
export async function linkOpenApi(cwd: string): Promise<void> {
  const modules = join(cwd, "node_modules");
  await Promise.all([".bin", "@codemode"].map((name) => mkdir(join(modules, name), { recursive: true })));
  await chmod("openapi/dist/main.js", 0o755);
  await symlink(resolve("openapi"), join(modules, "@codemode", "openapi"));
  await symlink("../@codemode/openapi/dist/main.js", join(modules, ".bin", "codemode-openapi"));
}

/** Starts what `npx` would, which takes longer than all that it starts. */
const NPX = `#!/bin/sh
test "$1 $2" = "-y @codemode/openapi@0.1.0" || exit 9
shift 2
exec "$(dirname "$0")/../.bin/codemode-openapi" "$@"
`;

/** Runs the command as it runs with npm, without npm's own programs; before tests with `typeBeforeTests`. */
export async function runWithoutNpm(
  args: readonly string[],
  options: RunOptions,
  type: typeof typeCommand = typeCommand,
): Promise<Finished> {
  const folder = join(options.cwd, "node_modules", ".npm");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "npx"), NPX, { mode: 0o755 });
  const env = { ...options.env, PATH: `${folder}:${process.env["PATH"]}` };
  return type(args, { ...options, env });
}
