import { join } from "node:path";
import { DEFAULT_OUT } from "../../../schemas/config/config.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";

/** What lets an editor see a script as codemode does. */
const SCRIPT_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2023",
  lib: ["es2023"],
  // Scripts are bundled: no "type" of a package.json decides what they are, and each may await at its top.
  module: "preserve",
  moduleDetection: "force",
  allowImportingTsExtensions: true,
  types: ["@codemode/sandbox"],
  skipLibCheck: true,
};

/** Writes a `tsconfig.json` for scripts where there is none. Returns what to tell the user. */
export async function writeTsconfig(folder: string): Promise<string> {
  const file = join(folder, "tsconfig.json");
  if ((await readTextIfPresent(file)) !== undefined) {
    return 'tsconfig.json stays as it is. For scripts, it should have: "lib": ["es2023"], "module": "preserve" (or "nodenext" in a package of "type": "module"), "types": ["@codemode/sandbox"].';
  }
  const tsconfig = { compilerOptions: SCRIPT_OPTIONS, exclude: ["node_modules", DEFAULT_OUT] };
  await writeAtomically(file, `${JSON.stringify(tsconfig, null, 2)}\n`, { project: folder });
  return "Wrote tsconfig.json, so that editors check scripts as they run.";
}
