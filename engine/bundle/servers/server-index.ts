import { nearestTool } from "@codemode/runtime/nearest-name";
import { printMeta } from "../../../templates/print-meta.ts";
import type { ImportUse } from "../syntax/find-imports.ts";
import { SERVERS_PREFIX } from "../imports/describe-foreign-import.ts";
import type { ImportProblem } from "../imports/import-problem.ts";
import type { ServerPackage } from "./load-server-package.ts";
import { toServerModuleId } from "../imports/module-ids.ts";
import { quote } from "../syntax/quote.ts";

/** The export of every server package that describes the server itself. */
export const META_EXPORT = "__meta__";
const META_MODULE = "meta.js";

/** The exports of a server that one module may use, sorted by their order in the package. */
export function selectExports({ tools }: ServerPackage, use: ImportUse): string[] {
  return [...tools.keys(), META_EXPORT].filter((name) => use.whole || use.names.has(name) || use.members.has(name));
}

/**
 * Prints an index of a server package that re-exports the given names only, so that the modules of all other tools are
 * not even read.
 */
export function printServerIndex({ moduleId, tools, meta }: ServerPackage, names: readonly string[]): string {
  const lines = names.map((name) => {
    const isPrinted = name === META_EXPORT && meta !== undefined;
    const module = JSON.stringify(toServerModuleId(moduleId, tools.get(name)?.module ?? META_MODULE));
    const taken = isPrinted ? "" : `import { ${name} as taken$${name} } from ${module};\n`;
    const value = isPrinted ? printMeta(meta) : `taken$${name}`;
    const frozen = `const frozen$${name} = /*#__PURE__*/ freeze$(${value});\n`;
    return `${taken}${frozen}export { frozen$${name} as ${name} };\n`;
  });
  return FREEZE + lines.join("");
}

/** Freezes a value with all that is in it: what a module gives to scripts is not for them to change (specification 11). */
const FREEZE = `const freeze$ = (value) => {
if (typeof value === "object" && value !== null) for (const key of Object.keys(value)) freeze$(value[key]);
return Object.freeze(value);
};
`;

/** True for every name that `import { name }` of the server gives. */
export function isServerExport({ tools }: ServerPackage, name: string): boolean {
  return tools.has(name) || name === META_EXPORT;
}

/**
 * Says that a server package has no export of that name.
 * @param owner the module of a server that has such a tool
 */
export function describeMissingTool({ moduleId, tools }: ServerPackage, name: string, owner?: string): ImportProblem {
  const specifier = SERVERS_PREFIX + moduleId;
  if (name === "default") {
    const local = moduleId.replace(/\W/g, "_").replace(/^(?=\d)/, "_");
    return {
      code: "IMPORT_FAILURE",
      message: `The server "${moduleId}" has no default export.`,
      hint: `Write \`import * as ${local} from "${specifier}"\`, or name the tools: \`import { … } from "${specifier}"\`.`,
    };
  }
  const byToolName = [...tools.values()].find((tool) => tool.toolName === name)?.exportName;
  const nearest = byToolName ?? nearestTool(name, [...tools.keys()]);
  const isElsewhere = byToolName === undefined && owner !== undefined;
  return {
    code: "IMPORT_FAILURE",
    message: `The server "${moduleId}" has no tool ${quote(name)}.`,
    hint: isElsewhere
      ? `Another server has it: \`import { ${name} } from "${SERVERS_PREFIX}${owner}";\`.`
      : nearest === undefined
        ? listTools([...tools.keys()])
        : `Did you mean \`${nearest}\`?`,
  };
}

/** How many tools a hint lists at most. */
const LISTED_TOOLS = 10;

function listTools(exportNames: readonly string[]): string {
  if (exportNames.length === 0) return "It has no tools.";
  const more = exportNames.length > LISTED_TOOLS ? ` and ${exportNames.length - LISTED_TOOLS} more` : "";
  return `Its tools: ${exportNames.slice(0, LISTED_TOOLS).join(", ")}${more}.`;
}
