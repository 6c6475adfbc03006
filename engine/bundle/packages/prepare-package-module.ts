import { findImports } from "../syntax/find-imports.ts";
import { findUnsupportedSyntax } from "../check-module.ts";
import { quote } from "../syntax/quote.ts";
import { isTooDeep } from "../syntax/syntax-error.ts";
import { childNodes, type SyntaxNode } from "../syntax/syntax-tree.ts";
import { OTHER_PACKAGE, type PackageOutcome } from "./package-modules.ts";

/** A package's module for the bundler, or why the package cannot be used; a reason reads on from "the package …". */
export type PreparedPackageModule =
  | { ok: true; code: string; program?: SyntaxNode | undefined; imports: ReadonlyMap<string, string> }
  | { ok: false; reason: string; hint: string; specifier?: string | undefined };

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
    return { ok: false, reason: `has a syntax error in ${shown}`, hint: OTHER_PACKAGE };
  }
  const { uses, computed, requires, commonJsExports } = findImports(program);
  if (requires.length + commonJsExports.length > 0 && !isModule(program)) {
    return {
      ok: false,
      reason: `is CommonJS in ${shown}, and scripts take ES modules only`,
      hint: "Use a version or another package that has ES modules.",
    };
  }
  const [unsupported] = findUnsupportedSyntax(program);
  if (unsupported !== undefined) {
    const { message } = unsupported;
    return { ok: false, reason: `has a problem in ${shown}: ${message.replace(/\.$/, "")}`, hint: OTHER_PACKAGE };
  }
  if (computed.length > 0) {
    return {
      ok: false,
      reason: `imports a module whose name is only known at run time, in ${shown}`,
      hint: OTHER_PACKAGE,
    };
  }
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
    return { ok: false, reason: `has ${quote(path)}, which is not JSON`, hint: OTHER_PACKAGE };
  }
  // As text: an object literal would take the key `__proto__` for the prototype.
  return { ok: true, code: `export default JSON.parse(${JSON.stringify(source)});\n`, imports: new Map() };
}
