import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import type { SyntaxNode } from "../syntax/syntax-tree.ts";
import { formatPath, type ModuleMap, originalPositionAt } from "../syntax/source-position.ts";
import { findFreeNames, type FreeNames, type UndeclaredName } from "./find-undeclared.ts";
import { hintForUndeclared } from "./hint-for-undeclared.ts";

const OFFERED = [...ENDOWED_GLOBALS, ...LANGUAGE_GLOBALS];
/** `eval` is a name of the language: its call fails where it happens, as `new Function` does (specification 11). */
const KNOWN: ReadonlySet<string> = new Set<string>([...OFFERED, ...CODEMODE_GLOBALS, "eval"]);

/** The names of a module of the author's that the sandbox does not have. */
export function findForeignNames(program: SyntaxNode): FreeNames {
  return findFreeNames(program, KNOWN);
}

/** A module of the author's, with what it refers to. */
export interface NamingModule {
  name: string;
  code: string;
  map: ModuleMap | undefined;
  free: FreeNames;
}

/** The names that no module of a script declares: each once for each module. */
export function findUndeclared(modules: readonly NamingModule[]): { module: NamingModule; name: UndeclaredName }[] {
  const made = new Set(modules.flatMap(({ free }) => [...free.globals]));
  return modules.flatMap((module) => {
    const seen = new Set<string>();
    return module.free.undeclared
      .filter(({ name, namespace }) => namespace !== undefined || !made.has(name))
      .filter(({ name }) => !seen.has(name) && seen.add(name))
      .map((name) => ({ module, name }));
  });
}

/** Says of each that it is not declared, at its place, with what may have been meant. */
export function describeUndeclared(modules: readonly NamingModule[], lockfile: Lockfile): Promise<Diagnostic[]> {
  const exportNames = new Map(
    [...modulesOfLockfile(lockfile)].map(([id, { tools }]) => [id, tools.map(({ exportName }) => exportName)]),
  );
  const described = findUndeclared(modules).map(async ({ module, name: { name, start, inScope, namespace } }) => ({
    severity: "error" as const,
    code: "TYPE_ERROR" as const,
    message:
      namespace === undefined
        ? `\`${name}\` is not declared.`
        : `\`${name}\` is exported by another part of the namespace \`${namespace}\`, and must be named as its member.`,
    hint:
      namespace === undefined
        ? hintForUndeclared(name, [...inScope, ...OFFERED], exportNames)
        : `Write \`${namespace}.${name}\`.`,
    path: formatPath(module.name, await originalPositionAt(module.code, start, module.map)),
  }));
  return Promise.all(described);
}
