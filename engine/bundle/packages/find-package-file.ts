import { posix } from "node:path";
import { findInside, type FoundFile } from "../syntax/find-inside.ts";
import type { InstalledPackage } from "./find-package.ts";

const MODULE_ENDINGS: ReadonlySet<string> = new Set([".js", ".mjs", ".json"]);

/** Packages made for bundlers only leave endings out. */
const LEFT_OUT = ["", ".js", ".mjs", "/index.js", "/index.mjs"];

/** A module of a package, or why there is none: also a file that is no ES module by its name. */
export type PackageFile = FoundFile | { ok: false; reason: "commonjs" | "not-javascript" };

/** Finds a module below the real folder of a package; links that lead out of it are not followed. */
export function findPackageFile({ folder }: InstalledPackage, path: string): PackageFile {
  let refusal: PackageFile = { ok: false, reason: "missing" };
  for (const ending of LEFT_OUT) {
    const found = findInside(folder, path + ending);
    if (found.ok) return judgeEnding(found);
    if (found.reason === "outside") refusal = found;
  }
  return refusal;
}

function judgeEnding(found: FoundFile & { ok: true }): PackageFile {
  const ending = posix.extname(found.relativePath);
  if (MODULE_ENDINGS.has(ending)) return found;
  return { ok: false, reason: ending === ".cjs" ? "commonjs" : "not-javascript" };
}
