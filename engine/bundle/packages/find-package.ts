import { realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { readModuleText } from "../modules/source-files.ts";

/** A package as a package manager has installed it. */
export interface InstalledPackage {
  /** Its own name, which may differ from the one that it is imported by. */
  name: string;
  version: string;
  /** The real folder. Files outside of it are not the package's. */
  folder: string;
  manifest: JsonObject;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Looks for a package in `node_modules` of a folder and of all folders above it, as Node does. */
export function findPackage(name: string, startFolder: string): InstalledPackage | undefined {
  for (let folder = startFolder; ; folder = dirname(folder)) {
    const found = basename(folder) === "node_modules" ? undefined : readPackage(join(folder, "node_modules"), name);
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

function readPackage(modulesFolder: string, name: string): InstalledPackage | undefined {
  try {
    const folder = realpathSync(join(modulesFolder, name));
    const manifest = readManifest(folder);
    if (manifest === undefined) return undefined;
    const [ownName, version] = [ownValue(manifest, "name"), ownValue(manifest, "version")];
    const isNamed = typeof ownName === "string" && isPackageName(ownName);
    const isPlain = folder === join(realpathSync(modulesFolder), name);
    if (!isPlain && !(isNamed && isLinkTarget(folder, name, ownName))) return undefined;
    return {
      name: isNamed ? ownName : name,
      version: typeof version === "string" && /^[\w.+-]{1,64}$/.test(version) ? version : "0.0.0",
      folder,
      manifest,
    };
  } catch {
    return undefined;
  }
}

/**
 * Package managers link to a store, where the package lies in a `node_modules` under its own name, or to a workspace, which has the
 * name that it is linked under. A link to anything else leads out of all packages.
 */
function isLinkTarget(folder: string, name: string, ownName: string): boolean {
  return ownName === name || folder.endsWith(join(sep, "node_modules", ownName));
}

/** Reads the `package.json` of a real folder. Throws where there is none, or one that is too large. */
export function readManifest(folder: string): JsonObject | undefined {
  const file = join(folder, "package.json");
  // A manifest that is a link could expose a file outside of the package.
  if (realpathSync(file) !== file) return undefined;
  const manifest = JSON.parse(readModuleText(file, MAX_MANIFEST_BYTES)) as JsonValue;
  return isJsonObject(manifest) ? manifest : undefined;
}

/** What an import by a package's name asks for. */
export interface PackageSpecifier {
  name: string;
  /** As in the `exports` of a `package.json`: `.` or `./…`. */
  subpath: string;
}

/** The longest name that registries take. */
const MAX_NAME_LENGTH = 214;
const SPECIFIER = /^((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)(\/.+)?$/;

/** Reads a specifier such as `@scope/name/path`; undefined where no package can have that name. */
export function parsePackageSpecifier(specifier: string): PackageSpecifier | undefined {
  const [, name, path = ""] = SPECIFIER.exec(specifier) ?? [];
  if (name === undefined || name.length > MAX_NAME_LENGTH || name.split("/").includes("node_modules")) return undefined;
  return { name, subpath: `.${path}` };
}

function isPackageName(text: string): boolean {
  return parsePackageSpecifier(text)?.name === text;
}
