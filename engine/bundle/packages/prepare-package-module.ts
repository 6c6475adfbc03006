import { findImports } from "../syntax/find-imports.ts";
import { findUnsupportedSyntax } from "../syntax/check-module.ts";
import { printJsonModule, quote, toDiagnostic } from "../modules/import-problem.ts";
import { isTooDeep } from "../syntax/syntax-error.ts";
import { childNodes, type SyntaxNode } from "../syntax/syntax-tree.ts";
import { describeCommonJs, type PackageOutcome, unusable } from "./package-modules.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { moduleOwner } from "../modules/module-ids.ts";
import { pathInModule, type WrittenModule } from "../syntax/source-position.ts";
import type { InstalledPackage } from "./find-package.ts";

/** A package's module for the bundler, or why the package cannot be used; a reason reads on from "the package …". */
export type PreparedPackageModule =
  | { ok: true; code: string; program?: SyntaxNode | undefined; imports: ReadonlyMap<string, string> }
  | UnusablePackageModule;

interface UnusablePackageModule extends ReturnType<typeof unusable> {
  /** What the module could not import. */
  specifier?: string | undefined;
}

/** Checks a module of a package: it is bundled as it is, so it has to be what the sandbox runs. */
export function preparePackageModule(
  { path, source }: { path: string; source: string },
  parse: (code: string) => SyntaxNode,
  resolve: (specifier: string) => PackageOutcome,
): PreparedPackageModule {
  if (path.endsWith(".json")) return prepareJson(path, source);
  const shown = quote(path);
  let program: SyntaxNode;
  try {
    program = parse(source);
  } catch (error) {
    if (isTooDeep(error)) throw error;
    return unusable(`has a syntax error in ${shown}`);
  }
  const { uses, computed, requires, commonJsExports } = findImports(program);
  if (requires.length + commonJsExports.length > 0 && !isModule(program)) return unusable(...describeCommonJs(shown));
  const [unsupported] = findUnsupportedSyntax(program);
  if (unsupported !== undefined)
    return unusable(`has a problem in ${shown}: ${unsupported.message.replace(/\.$/, "")}`);
  if (computed.length > 0) return unusable(`imports a module whose name is only known at run time, in ${shown}`);
  const imports = new Map<string, string>();
  for (const { specifier } of uses) {
    const outcome = resolve(specifier);
    if (!outcome.ok) return { ...outcome, specifier };
    imports.set(specifier, outcome.id);
  }
  return { ok: true, code: source, program, imports };
}

function isModule(program: SyntaxNode): boolean {
  return childNodes(program, "body").some(({ type }) => type === "ImportDeclaration" || type.startsWith("Export"));
}

function prepareJson(path: string, source: string): PreparedPackageModule {
  try {
    JSON.parse(source);
  } catch {
    return unusable(`has ${quote(path)}, which is not JSON`);
  }
  return { ok: true, code: printJsonModule(source), imports: new Map() };
}

/** What the build knows of who imports whom. */
interface ImportChains {
  /** The module that imported a package's module first, by the latter's id. */
  importers: ReadonlyMap<string, string>;
  packageOf: (id: string) => InstalledPackage | undefined;
  authors: ReadonlyMap<string, WrittenModule & { places: ReadonlyMap<string, number> }>;
}

/** Says what is wrong with a package: with the chain of imports that leads to it, and the place where the chain begins. */
export async function describePackageFailure(
  id: string,
  { reason, hint, specifier }: UnusablePackageModule,
  { importers, packageOf, authors }: ImportChains,
): Promise<Diagnostic> {
  // Without quotes: escaped and short, because the text comes from a package.
  const names = specifier === undefined ? [] : [quote(specifier).slice(1, -1)];
  let current = id;
  let first = id;
  while (moduleOwner(current) === "package") {
    const name = packageOf(current)?.name ?? "";
    if (names[0] !== name) names.unshift(name);
    first = current;
    current = importers.get(current) ?? "";
  }
  const author = authors.get(current);
  const chain = [author?.name ?? "the script", ...names].join(" → ");
  const start = author?.places.get(first);
  const message = `The package ${quote(packageOf(id)?.name ?? "")} cannot be used: it ${reason} (${chain}).`;
  const path = author === undefined || start === undefined ? undefined : await pathInModule(author, start);
  return toDiagnostic({ code: "IMPORT_FAILURE", message, hint }, path);
}
