import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { toDiagnostic } from "../check-module.ts";
import { ownerOf } from "../imports/module-ids.ts";
import { quote } from "../syntax/quote.ts";
import { formatPath, originalPositionAt, type ModuleMap } from "../syntax/source-position.ts";
import type { InstalledPackage } from "./find-package.ts";

/** A module of the author's, as far as the place of an import in it is concerned. */
export interface ImportingModule {
  name: string;
  code: string;
  map: ModuleMap | undefined;
  places: ReadonlyMap<string, number>;
}

/** What the build knows of who imports whom. */
export interface ImportChains {
  /** The module that imported a package's module first, by the latter's id. */
  importers: ReadonlyMap<string, string>;
  packageOf: (id: string) => InstalledPackage | undefined;
  authors: ReadonlyMap<string, ImportingModule>;
}

/** Why a package that a script imports, or one that it needs, cannot be used. A reason reads on from "the package …". */
export interface PackageFailure {
  id: string;
  reason: string;
  hint: string;
  /** What the module could not import. */
  specifier?: string | undefined;
}

/** Says what is wrong with a package: with the chain of imports that leads to it, and the place where the chain begins. */
export async function describePackageFailure(
  { id, reason, hint, specifier }: PackageFailure,
  { importers, packageOf, authors }: ImportChains,
): Promise<Diagnostic> {
  // Without quotes: escaped and short, because the text comes from a package.
  const names = specifier === undefined ? [] : [quote(specifier).slice(1, -1)];
  let current = id;
  let first = id;
  while (ownerOf(current) === "package") {
    const name = packageOf(current)?.name ?? "";
    if (names[0] !== name) names.unshift(name);
    first = current;
    current = importers.get(current) ?? "";
  }
  const author = authors.get(current);
  const chain = [author?.name ?? "the script", ...names].join(" → ");
  const start = author?.places.get(first);
  const position =
    author === undefined || start === undefined ? undefined : await originalPositionAt(author.code, start, author.map);
  const message = `The package ${quote(packageOf(id)?.name ?? "")} cannot be used: it ${reason} (${chain}).`;
  const path = author === undefined || position === undefined ? undefined : formatPath(author.name, position);
  return toDiagnostic({ code: "IMPORT_FAILURE", message, hint }, path);
}
