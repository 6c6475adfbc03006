import { nearestName } from "@codemode/runtime/nearest-name";
import { MISSING_GLOBALS } from "../../../runtime/sandbox/pool/error-hints.ts";
import { SERVERS_PREFIX } from "../imports/describe-foreign-import.ts";

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
      "AuthenticationError",
      "CodemodeError",
      "SandboxLimitError",
      "SchemaValidationError",
      "ServerNotFoundError",
      "ToolCallError",
      "ToolNotFoundError",
    ],
  ],
  ["@codemode/results", ["contentOf"]],
]);

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
