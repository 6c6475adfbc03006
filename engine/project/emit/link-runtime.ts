import { lstat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { replaceLink } from "../../../runtime/files/replace-link.ts";
import { ownScope } from "./link-package.ts";
import { VERSION } from "../../../schemas/version.ts";
import { SANDBOX_GLOBALS } from "../../check/sandbox-globals.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";

/** The mark of codemode's own packages, which separates them from others of the same name. */
const MARK = "Written by codemode so that editors and compilers know what its sandbox has.";

/** Packages that exist in the sandbox alone, as files of a package each. */
const PACKAGES: { [name: string]: { [file: string]: string } } = {
  discovery: reexport("discovery"),
  errors: reexport("errors"),
  results: reexport("results"),
  // For "types" in a tsconfig.json: what a script has without any import.
  sandbox: {
    "package.json": toManifest("sandbox", { types: "./index.d.ts" }),
    "index.d.ts": SANDBOX_GLOBALS.trimStart(),
  },
};

/** The names of these packages, below `@codemode`. */
export const OWN_PACKAGES: readonly string[] = Object.keys(PACKAGES);

/**
 * Makes `@codemode/runtime`, `@codemode/errors`, `@codemode/discovery` and `@codemode/results` resolve in a project as they do in the sandbox. They
 * re-export the runtime that bindings import, so that an error of a binding is an instance of the class that is imported.
 * What is installed already is left alone.
 */
export async function linkRuntime(folder: string): Promise<void> {
  await linkOwnRuntime(folder);
  for (const [name, files] of Object.entries(PACKAGES)) {
    const target = join(folder, "node_modules", "@codemode", name);
    const manifest = await readTextIfPresent(join(target, "package.json"));
    if (manifest !== undefined && !manifest.includes(MARK)) continue;
    for (const [file, text] of Object.entries(files)) {
      const path = join(target, file);
      if ((await readTextIfPresent(path)) !== text)
        await writeAtomically(path, text, { project: folder, isFlushed: false });
    }
  }
}

/** Where codemode is installed elsewhere, or its dependencies are hidden from the project, the project gets a link to its runtime. */
async function linkOwnRuntime(folder: string): Promise<void> {
  const fromProject = createRequire(join(folder, "package.json"));
  try {
    fromProject.resolve("@codemode/runtime/package.json");
    return;
  } catch {
    // Not there, or a link that leads nowhere any more.
  }
  const link = join(ownScope(folder), "runtime");
  const existing = await lstat(link).catch(() => undefined);
  if (existing !== undefined && !existing.isSymbolicLink()) return;
  const target = dirname(createRequire(import.meta.url).resolve("@codemode/runtime/package.json"));
  await replaceLink(link, target);
}

function reexport(name: string): { [file: string]: string } {
  const text = `export * from "@codemode/runtime/${name}";\n`;
  const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
  return { "package.json": toManifest(name, { exports }), "index.js": text, "index.d.ts": text };
}

function toManifest(name: string, entries: object): string {
  const manifest = { name: `@codemode/${name}`, version: VERSION, description: MARK, private: true, type: "module" };
  return `${JSON.stringify({ ...manifest, sideEffects: false, ...entries }, null, 2)}\n`;
}
