import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf } from "../../../schemas/lock/operations.ts";
import type { SyntaxNode } from "../syntax/syntax-tree.ts";
import { pathInModule, type WrittenModule } from "../syntax/source-position.ts";
import { findFreeNames, type FreeNames, type UndeclaredName } from "../syntax/find-undeclared.ts";
import { foldName, nearestName, nearestTool } from "@codemode/runtime/nearest-name";
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
  const found = findUndeclared(modules);
  if (found.length === 0) return Promise.resolve([]);
  const exportNames = new Map(
    [...modulesOfLockfile(lockfile)].map(([id, { tools }]) => [id, tools.map(({ exportName }) => exportName)]),
  );
  const described = found.map(async ({ module, name: { name, start, inScope, members, namespace } }) => {
    const isUnknown = namespace === undefined;
    const message = isUnknown
      ? `\`${name}\` is not declared.`
      : `\`${name}\` is exported by another part of the namespace \`${namespace}\`, and must be named as its member.`;
    const hint = isUnknown
      ? hintForUndeclared({ name, members }, [...inScope, ...OFFERED], exportNames)
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

/** What other systems call the object, or the function, through which scripts reach tools. */
const TOOL_HOLDERS: ReadonlySet<string> = new Set(
  "agent api call callTool call_tool client codemode functions host mcp mcpClient sdk server servers tool tools useTool use_tool".split(
    " ",
  ),
);

/** Names of tools as scripts import them, by the id of their module. */
type ExportNames = ReadonlyMap<string, readonly string[]>;

interface FoundTool {
  moduleId: string;
  tool: string;
}

/** The tools that a name means, spelled as other systems do or with its server: `readFile`, `mcp__files__read`, `files.read`. */
function findNamedTools(name: string, exportNames: ExportNames): FoundTool[] {
  const all = [...exportNames].flatMap(([moduleId, names]) => names.map((tool) => ({ moduleId, tool })));
  const exact = all.filter(({ tool }) => tool === name);
  if (exact.length > 0) return exact;
  const folded = foldName(name);
  return all.filter(({ moduleId, tool }) =>
    [tool, moduleId + tool, `mcp${moduleId}${tool}`, `external${tool}`].some((form) => foldName(form) === folded),
  );
}

/** How many modules a hint names. */
const MAX_NAMED = 3;

function importTools([first, ...others]: readonly FoundTool[]): string | undefined {
  if (first === undefined) return undefined;
  const also = others.slice(0, MAX_NAMED - 1).map(({ moduleId }) => `"${SERVERS_PREFIX}${moduleId}"`);
  const more = also.length === 0 ? "" : ` A tool of this name is also in ${also.join(" and ")}.`;
  return `Import it: \`import { ${first.tool} } from "${SERVERS_PREFIX}${first.moduleId}";\`.${more}`;
}

/** Other systems hold tools in an object: `tools.read(…)`, `mcp.files.read(…)`, `callTool("read")`. */
function hintForMembers({ name, members = [] }: NamedUse, exportNames: ExportNames): string | undefined {
  const folded = new Set([name, ...members].map(foldName));
  const servers = new Set([...exportNames.keys()].map(serverIdOf).filter((id) => folded.has(foldName(id))));
  if (servers.size === 0 && !TOOL_HOLDERS.has(name)) return undefined;
  const offered =
    servers.size === 0 ? exportNames : new Map([...exportNames].filter(([id]) => servers.has(serverIdOf(id))));
  for (const member of members.toReversed()) {
    const found = findNamedTools(member, offered);
    const [first] = found;
    if (first !== undefined) return `${importTools(found)} Then call \`await ${first.tool}(…)\`.`;
  }
  const nearest = servers.size === 0 ? undefined : findNearest(members.at(-1) ?? "", [...offered]);
  if (nearest === undefined) return undefined;
  const [moduleId, tool] = nearest;
  return `Did you mean \`${tool}\`? ${importTools([{ moduleId, tool }])}`;
}

/** A name as a script uses it. */
interface NamedUse {
  name: string;
  /** What follows it: the names of members, and the texts that a call passes. */
  members?: readonly string[] | undefined;
}

/**
 * What to do about a name that is nowhere declared: a tool without its import, something of Node's, or misspelt.
 * @param inScope the names that are declared around it
 * @param exportNames the names of all locked tools, by the id of their module
 */
export function hintForUndeclared(use: NamedUse, inScope: readonly string[], exportNames: ExportNames): string {
  const { name } = use;
  const tools = findNamedTools(name, exportNames);
  const isTool = tools.some(({ tool }) => tool === name);
  const exporter = [...RUNTIME_EXPORTS].find(([, names]) => names.includes(name))?.[0];
  if (!isTool && exporter !== undefined) return `Import it: \`import { ${name} } from "${exporter}";\`.`;
  if (!isTool && exportNames.has(name))
    return `Import the server: \`import * as ${name} from "${SERVERS_PREFIX}${name}";\`.`;
  const isDeclared = inScope.some((one) => foldName(one) === foldName(name));
  return (
    (isTool || !isDeclared ? importTools(tools) : undefined) ??
    FOREIGN_NAMES.get(name) ??
    hintForMembers(use, exportNames) ??
    hintForMisspelt(name, inScope, exportNames)
  );
}

/** The nearest name among the exports of some modules, behind the first module that has it. */
function findNearest(
  name: string,
  modules: readonly (readonly [module: string, names: readonly string[]])[],
): readonly [module: string, name: string] | undefined {
  const nearest = nearestTool(
    name,
    modules.flatMap(([, names]) => names),
  );
  if (nearest === undefined) return undefined;
  const found = modules.find(([, names]) => names.includes(nearest));
  return found && [found[0], nearest];
}

function hintForMisspelt(name: string, inScope: readonly string[], exportNames: ExportNames): string {
  // A script that looks for its tools in an object means no `Map` and no `Function`.
  const candidates = TOOL_HOLDERS.has(name)
    ? inScope.filter((one) => !OFFERED.some((offered) => offered === one))
    : inScope;
  const nearest = nearestName(name, candidates);
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
  const tools = [...exportNames].map(([moduleId, names]) => [SERVERS_PREFIX + moduleId, names] as const);
  const exported = TOOL_HOLDERS.has(name) ? undefined : findNearest(name, [...tools, ...RUNTIME_EXPORTS]);
  if (exported !== undefined)
    return `Did you mean \`${exported[1]}\`? Import it: \`import { ${exported[1]} } from "${exported[0]}";\`.`;
  return `Declare it, or import it: each tool is an export of its server, \`import { … } from "${SERVERS_PREFIX}…";\`.`;
}
