import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import type { SyntaxNode } from "../syntax/syntax-tree.ts";
import { pathInModule, type WrittenModule } from "../syntax/source-position.ts";
import { findFreeNames, type FreeNames, type UndeclaredName } from "../syntax/find-undeclared.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { MISSING_GLOBALS } from "../../../runtime/sandbox/pool/error-hints.ts";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";
import { toDiagnostic } from "../modules/import-problem.ts";

const OFFERED = [...ENDOWED_GLOBALS, ...LANGUAGE_GLOBALS];
/** `eval` is a name of the language: its call fails where it happens, as `new Function` does (specification 11). */
const KNOWN: ReadonlySet<string> = new Set<string>([...OFFERED, ...CODEMODE_GLOBALS, "eval"]);

/** The names of a module of the author's that the sandbox does not have. */
export function findForeignNames(program: SyntaxNode): FreeNames {
  return findFreeNames(program, KNOWN);
}

/** A module of the author's, with what it refers to. */
interface NamingModule extends WrittenModule {
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
  const described = findUndeclared(modules).map(async ({ module, name: { name, start, inScope, namespace } }) => {
    const isUnknown = namespace === undefined;
    const message = isUnknown
      ? `\`${name}\` is not declared.`
      : `\`${name}\` is exported by another part of the namespace \`${namespace}\`, and must be named as its member.`;
    const hint = isUnknown
      ? hintForUndeclared(name, [...inScope, ...OFFERED], exportNames)
      : `Write \`${namespace}.${name}\`.`;
    return toDiagnostic({ code: "TYPE_ERROR", message, hint }, await pathInModule(module, start));
  });
  return Promise.all(described);
}

/** Names that exist nowhere in the sandbox, though scripts for other places have them. */
const FOREIGN_NAMES = new Map([
  ...Object.entries(MISSING_GLOBALS),
  ["axios", "There is no network in the sandbox: call a tool instead."],
  ["document", "The sandbox has no page: set `globalThis.__codemode_result__` to the output."],
  ["fs", "There are no files in the sandbox: call a tool of a server that reads files."],
  ["global", "Use `globalThis`."],
  ["input", "The input of the run is `globalThis.__codemode_input__`."],
  ["path", "There is no Node API in the sandbox: join paths with `/` yourself."],
  ["window", "Use `globalThis`."],
]);

/** Modules that any script may import, and what they export. */
const RUNTIME_EXPORTS = new Map([
  [
    "@codemode/discovery",
    ["describeServer", "getTool", "listScripts", "listServers", "listTools", "searchTools", "specVersion"],
  ],
  [
    "@codemode/errors",
    [
      "ApprovalRefusedError",
      "AuthenticationError",
      "CodemodeError",
      "SandboxLimitError",
      "SchemaValidationError",
      "ServerNotFoundError",
      "ToolCallError",
      "ToolNotFoundError",
    ],
  ],
  ["@codemode/results", ["changedCalls", "contentOf"]],
]);

/** Clients and other systems name a tool with its server: `mcp__files__read`, `files_read`. */
function findWholeName(name: string, exportNames: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [serverId, names] of exportNames) {
    const tool = names.find((one) =>
      [`mcp__${serverId}__${one}`, `${serverId}__${one}`, `${serverId}_${one}`].includes(name),
    );
    if (tool !== undefined) return `Import it: \`import { ${tool} } from "${SERVERS_PREFIX}${serverId}";\`.`;
  }
  return undefined;
}

/**
 * What to do about a name that is nowhere declared: a tool without its import, something of Node's, or misspelt.
 * @param inScope the names that are declared around it
 * @param exportNames the names of all locked tools, by the id of their module
 */
export function hintForUndeclared(
  name: string,
  inScope: readonly string[],
  exportNames: ReadonlyMap<string, readonly string[]>,
): string {
  const modules = [
    ...[...exportNames].map(([serverId, names]) => [SERVERS_PREFIX + serverId, names] as const),
    ...RUNTIME_EXPORTS,
  ];
  const exporter = modules.find(([, names]) => names.includes(name))?.[0];
  if (exporter !== undefined) return `Import it: \`import { ${name} } from "${exporter}";\`.`;
  const isServer = exportNames.has(name);
  if (isServer) return `Import the server: \`import * as ${name} from "${SERVERS_PREFIX}${name}";\`.`;
  const whole = findWholeName(name, exportNames);
  if (whole !== undefined) return whole;
  const foreign = FOREIGN_NAMES.get(name);
  if (foreign !== undefined) return foreign;
  const nearest = nearestName(name, inScope);
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
  for (const [specifier, names] of modules) {
    const exported = nearestName(name, names);
    if (exported !== undefined)
      return `Did you mean \`${exported}\`? Import it: \`import { ${exported} } from "${specifier}";\`.`;
  }
  return `Declare it, or import it: each tool is an export of its server, \`import { … } from "${SERVERS_PREFIX}…";\`.`;
}
