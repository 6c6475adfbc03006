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

export function isPackageName(text: string): boolean {
  return parsePackageSpecifier(text)?.name === text;
}
