import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { JsonValue } from "../schemas/json/json.ts";
import { toSchemaDocument } from "../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../schemas/json-schema/plan-examples.ts";
import type { ModuleSource, Exchange, GeneratedFile } from "./module-source.ts";
import { HEADER, layOutDeclaration, printModule } from "./print-module.ts";
import type { ToolPlan } from "./server-plan.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import type { PlannedType } from "./types/plan-declarations.ts";
import { printDeclaration } from "./types/print-declarations.ts";
import { type PrintedValidator, printValidator } from "./validators/print-validator.ts";
import { byCodeUnits } from "../schemas/json/canonical-json.ts";

/** The modules of one tool: binding, declarations and validator. */
export async function printTool(tool: ToolPlan): Promise<GeneratedFile[]> {
  const validator = printInputValidator(tool);
  const example = planExamples(tool.input).find((candidate) => validator.accepts(candidate));
  const path = `${tool.moduleId}/${tool.file}`;
  return [
    { path: `${path}.js`, text: printModule(bindingOf(tool, example)) },
    { path: `${path}.d.ts`, text: printModule(await declarationsOf(tool)) },
    { path: `${path}.validator.js`, text: `${HEADER}\n${validator.source}\n` },
  ];
}

/** The types of one tool and the signature of its binding, for a declaration file. */
export async function declarationsOf(tool: ToolPlan): Promise<ModuleSource> {
  const declarations = await Promise.all(tool.types.map(printType));
  const { inputType, outputType, inputOptional, doc } = tool;
  const parameter = { name: "input", type: inputType, optional: inputOptional };
  return {
    imports: importResultTypes([tool]),
    declarations,
    functions: [{ name: tool.exportName, parameter, returnType: `Promise<${outputType}>`, doc }],
  };
}

function bindingOf(tool: ToolPlan, example: JsonValue | undefined): ModuleSource {
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
  return {
    imports: [
      { names: [importAs("callTool", callTool)], from: "@codemode/runtime/v1" },
      { names: [importAs("validateInput", validateInput)], from: `./${baseName(tool.file)}.validator.js` },
    ],
    constants: [{ name: bound, isExported: false, value: `{\n${fields.map((field) => `  ${field},\n`).join("")}}` }],
    functions: [
      {
        name: tool.exportName,
        parameter: { name: "input", ...withoutUndefined({ defaultValue: tool.inputOptional ? "{}" : undefined }) },
        body: `return ${callTool}(${bound}, input);`,
      },
    ],
  };
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

/** What the types of these tools need of the runtime; empty for nothing. */
function importResultTypes(tools: readonly Pick<ToolPlan, "resultTypes">[]): Exchange[] {
  const names = tools.flatMap(({ resultTypes }) =>
    resultTypes.map(({ name, local }) => (name === local ? name : `${name} as ${local}`)),
  );
  if (names.length === 0) return [];
  return [{ names: [...new Set(names)].toSorted(byCodeUnits), from: "@codemode/runtime/results", isTypeOnly: true }];
}
