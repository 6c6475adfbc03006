import { byCodeUnits, sortedJson } from "../schemas/json/canonical-json.ts";
import { type JsonValue, toJsonObject } from "../schemas/json/json.ts";
import { toSchemaDocument } from "../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../schemas/json-schema/plan-examples.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import { GENERATOR_VERSION, type GeneratedFile, META_DECLARATION, printMeta } from "./generated-package.ts";
import type { ServerPlan, ToolPlan, ResultType } from "./server-plan.ts";
import type { PlannedType } from "./types/declaration-schema.ts";
import { printDeclaration } from "./types/print-declaration.ts";
import { type PrintedValidator, printValidator } from "./validators/print-validator.ts";

/** The files of one server, sorted by path; they do not depend on the other servers. */
export async function emitServer(server: ServerPlan): Promise<GeneratedFile[]> {
  const tools = await Promise.all(server.tools.map(emitTool));
  return [...emitServerIndex(server), ...tools.flat()].toSorted((left, right) => byCodeUnits(left.path, right.path));
}

/** What a server has beside the modules of its tools. */
export function emitServerIndex(server: ServerPlan): GeneratedFile[] {
  const tools = server.tools.map(({ exportName, inputType, outputType, file }) => ({
    from: `./${file}.js`,
    names: [exportName],
    types: [`type ${inputType}`, `type ${outputType}`],
  }));
  const printIndex = (withTypes: boolean): string => {
    const lines = tools.map(({ names, types, from }) =>
      printExchange("export", withTypes ? [...names, ...types] : names, from),
    );
    return printModule([[printExchange("export", ["__meta__"], "./meta.js"), ...lines].join("\n")]);
  };
  const files = [
    { path: "index.js", text: printIndex(false) },
    { path: "index.d.ts", text: printIndex(true) },
    { path: "meta.js", text: printModule([`export const __meta__ = ${printMeta(server)};`]) },
    { path: "meta.d.ts", text: printModule([META_DECLARATION]) },
    { path: "tools.json", text: printToolIndex(server) },
  ];
  return files.map(({ path, text }) => ({ path: `${server.moduleId}/${path}`, text }));
}

/** What the bundler needs to find the tools of a bundle, and to see that the folder is out of date. */
function printToolIndex(server: ServerPlan): string {
  const tools = server.tools.map(
    (tool) =>
      [tool.exportName, { toolName: tool.toolName, module: `${tool.file}.js`, integrity: tool.integrity }] as const,
  );
  return sortedJson({
    serverId: server.serverId,
    serverIntegrity: server.integrity,
    generatorVersion: GENERATOR_VERSION,
    tools: toJsonObject(tools),
  });
}

/** The modules of one tool, binding, declarations and validator; they depend on nothing but its own plan. */
export async function emitTool(tool: ToolPlan): Promise<GeneratedFile[]> {
  const validator = printInputValidator(tool);
  const example = planExamples(tool.input).find((candidate) => validator.accepts(candidate));
  const path = `${tool.moduleId}/${tool.file}`;
  return [
    { path: `${path}.js`, text: printBinding(tool, example) },
    { path: `${path}.d.ts`, text: await printTypings(tool) },
    { path: `${path}.validator.js`, text: `${HEADER}\n${validator.source}\n` },
  ];
}

/** The declaration file of one tool: its types and the signature of its binding. */
export async function printTypings(tool: ToolPlan): Promise<string> {
  return printModule([printResultTypes(tool), ...(await printDeclarations(tool))]);
}

/** The same without what the types need of the runtime. */
async function printDeclarations({
  exportName,
  types,
  inputType,
  outputType,
  inputOptional,
  doc,
}: ToolPlan): Promise<string[]> {
  const declarations = await Promise.all(types.map(printType));
  const parameter = `input${inputOptional ? "?" : ""}: ${inputType}`;
  const binding = `export declare function ${exportName}(${parameter}): Promise<${outputType}>;`;
  return [...declarations, printDoc(doc) + binding];
}

function printResultTypes({ resultTypes }: ToolPlan): string {
  const names = resultTypes.map(({ name, local }) => importAs(name, local));
  if (names.length === 0) return "";
  return printExchange("import type", [...new Set(names)].toSorted(byCodeUnits), "@codemode/runtime/results");
}

function printBinding(tool: ToolPlan, example: JsonValue | undefined): string {
  const callTool = localName("callTool", tool);
  const validateInput = localName("validateInput", tool);
  const bound = localName("tool", tool);
  const fields = [
    `serverId: ${toSourceLiteral(tool.serverId)}`,
    `toolName: ${toSourceLiteral(tool.toolName)}`,
    `exportName: ${toSourceLiteral(tool.exportName)}`,
    validateInput === "validateInput" ? validateInput : `validateInput: ${validateInput}`,
    // Plain Node compares it with the live server; a schema of the configuration makes the tool another one than the server's.
    ...(tool.isAsServed ? [`integrity: ${toSourceLiteral(tool.integrity)}`] : []),
    ...(example === undefined ? [] : [`example: ${printValue(example, "  ")}`]),
  ];
  const validator = `./${baseName(tool.file)}.validator.js`;
  const imports = [
    printExchange("import", [importAs("callTool", callTool)], "@codemode/runtime/v1"),
    printExchange("import", [importAs("validateInput", validateInput)], validator),
  ];
  const parameter = tool.inputOptional ? "input = {}" : "input";
  return printModule([
    imports.join("\n"),
    `const ${bound} = {\n${fields.map((field) => `  ${field},\n`).join("")}};`,
    `export async function ${tool.exportName}(${parameter}) {\n  return ${callTool}(${bound}, input);\n}`,
  ]);
}

/** A type that cannot be printed becomes `unknown` alone; the validator still checks the input. */
async function printType(type: PlannedType): Promise<string> {
  try {
    return await printDeclaration(type.schema, type.name);
  } catch {
    return `/** Warning: the schema could not be said in TypeScript. */\nexport type ${type.name} = unknown;`;
  }
}

/** A clean schema should always compile; one that does not leaves the check to the host and the server. */
function printInputValidator(tool: ToolPlan): PrintedValidator {
  try {
    return printValidator(toSchemaDocument(tool.input));
  } catch {
    const { source, accepts } = printValidator({ type: "object" });
    return { source: `// Warning: the schema does not compile; any object is accepted here.\n${source}`, accepts };
  }
}

/** A name inside of the module that is not the tool's own. */
function localName(name: string, tool: ToolPlan): string {
  return name === tool.exportName ? `${name}_` : name;
}

function importAs(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * The TypeScript declarations of a server as one text: what an author of a script may write after the import.
 * @param tools the tools to show; all of the server where absent
 * @param pause waited for after each tool, where others must have their turn meanwhile: thousands of tools take seconds
 */
export async function emitDeclarations(
  server: ServerPlan,
  tools: readonly ToolPlan[] = server.tools,
  pause?: () => Promise<void>,
): Promise<string> {
  const modules: string[] = [];
  for (const tool of tools) {
    modules.push(printModule(await printDeclarations(tool), ""));
    await pause?.();
  }
  const used = new Map(tools.flatMap(({ resultTypes }) => resultTypes.map((type) => [type.local, type] as const)));
  const body = [...[...used.values()].map(declareResultType), ...modules]
    .join("\n")
    .replace(/^export declare /gm, "export ")
    .replace(/^(?=.)/gm, "  ");
  return `declare module "@codemode/servers/${server.moduleId}" {\n${body}}\n`;
}

/** The text is read without the module that has the types. */
function declareResultType({ name, local }: ResultType): string {
  return name === "JsonText"
    ? `/** A string: JSON.parse of it gives a T. */\ntype ${local}<T> = string & { readonly parsed?: T };\n`
    : `type ${local} = { content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string }[] };\n`;
}

/** The first line of every generated module. It names neither time nor machine. */
const HEADER = "// Generated by codemode from codemode.lock.json. Do not edit.\n";

/** A module of the blocks that are not empty. */
function printModule(blocks: readonly string[], header = `${HEADER}\n`): string {
  const text = blocks.filter((block) => block !== "").join("\n\n");
  return `${header}${text.replace(/\n{3,}/g, "\n\n")}\n`;
}

/** Takes names from another module, or passes them on; among others, a name of a type is written `type Name`. */
function printExchange(words: "import" | "import type" | "export", names: readonly string[], from: string): string {
  return `${words} { ${names.join(", ")} } from "${from}";`;
}

/** A doc comment of several lines, of any length, to stand before what it is about. */
function printDoc(doc: string): string {
  const lines = doc.split(/\r?\n/).map((line) => (line === "" ? " *" : ` * ${line}`));
  return ["/**", ...lines, " */\n"].join("\n");
}
