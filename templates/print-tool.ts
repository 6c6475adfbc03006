import type { JsonValue } from "../schemas/json/json.ts";
import { toSchemaDocument } from "../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../schemas/json-schema/plan-examples.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { HEADER, layOutDeclaration, printDoc, printExchange, printModule } from "./print-module.ts";
import type { ToolPlan } from "./server-plan.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import type { PlannedType } from "./types/declaration-schema.ts";
import { printDeclaration } from "./types/print-declarations.ts";
import { type PrintedValidator, printValidator } from "./validators/print-validator.ts";
import { byCodeUnits } from "../schemas/json/canonical-json.ts";

/** The modules of one tool: binding, declarations and validator. */
export async function printTool(tool: ToolPlan): Promise<GeneratedFile[]> {
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
export async function printDeclarations({
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
    return layOutDeclaration(await printDeclaration(type.schema), type.name);
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
