import { byCodeUnits, sortedJson } from "../schemas/json/canonical-json.ts";
import { type JsonObject, type JsonValue, toJsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { toSchemaDocument } from "../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../schemas/json-schema/plan-examples.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { toSourceLiteral } from "../schemas/text/visible-text.ts";
import { type FunctionDeclarationStructure, StructureKind, VariableDeclarationKind } from "ts-morph";
import type { OptionalKind, VariableDeclarationStructure } from "ts-morph";
import { groupBy } from "./group-by.ts";
import { GENERATOR_VERSION, type GeneratedFile, printMeta } from "./generated-package.ts";
import {
  type PlannedModule,
  printAmbientModule,
  printBody,
  printModules,
  printObject,
  type Statement,
} from "./print-module.ts";
import type { ServerPlan, ToolPlan, ResultType } from "./server-plan.ts";
import type { PlannedType } from "./types/declaration-schema.ts";
import { printDeclarations } from "./types/print-declaration.ts";
import { type PrintedValidator, printValidator } from "./validators/print-validator.ts";

/** The files of one server, sorted by path; they do not depend on the other servers. */
export async function emitServer(server: ServerPlan): Promise<GeneratedFile[]> {
  const files = [...emitServerIndex(server), ...emitServerMeta(server), ...(await emitTools(server.tools))];
  return files.toSorted((left, right) => byCodeUnits(left.path, right.path));
}

/** The module of a server: all that its tools export. */
export function emitServerIndex(server: ServerPlan): GeneratedFile[] {
  const exportTools = (withTypes: boolean): Statement[] => [
    exportFrom("./meta.js", ["__meta__"]),
    ...server.tools.map(({ exportName, inputType, outputType, file }) =>
      exportFrom(`./${file}.js`, [exportName], withTypes ? [inputType, outputType] : []),
    ),
  ];
  return printModules([
    { path: `${server.moduleId}/index.js`, statements: exportTools(false) },
    { path: `${server.moduleId}/index.d.ts`, statements: exportTools(true) },
  ]);
}

/** What a server says of itself, and of its tools. */
export function emitServerMeta(server: ServerPlan): GeneratedFile[] {
  const modules = printModules([
    {
      path: `${server.moduleId}/meta.js`,
      statements: [constant({ name: "__meta__", initializer: printMeta(server) }, true)],
    },
    { path: `${server.moduleId}/meta.d.ts`, statements: [META_DECLARATION] },
  ]);
  return [...modules, { path: `${server.moduleId}/tools.json`, text: printToolIndex(server) }];
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

/** Three modules for each tool: its binding, its declarations and its validator. They depend on the plan of that tool alone. */
export async function emitTools(tools: readonly ToolPlan[]): Promise<GeneratedFile[]> {
  const declared = await declareTypes(tools);
  const checked = checkInputs(tools);
  const modules = tools.flatMap((tool) => {
    const { source = "", example } = checked.get(tool) ?? {};
    const path = `${tool.moduleId}/${tool.file}`;
    return [
      { path: `${path}.js`, statements: planBinding(tool, example) },
      planTypings(tool, declared),
      { path: `${path}.validator.js`, statements: [source] },
    ];
  });
  return printModules(modules);
}

/**
 * The module of the validator of each tool, and an input that it accepts where one is known. Equal inputs have one validator, which is printed
 * once. It is not kept: what compiled it is as large as hundreds of modules.
 */
function checkInputs(tools: readonly ToolPlan[]): Map<ToolPlan, { source: string; example: JsonValue | undefined }> {
  const groups = groupBy(tools, ({ input }) => JSON.stringify(toSchemaDocument(input)));
  return new Map(
    [...groups.values()].flatMap((group) => {
      const [{ input }] = group;
      const { source, accepts } = printInputValidator(toSchemaDocument(input));
      return group.map((tool) => [tool, { source, example: planExamples(tool.input).find(accepts) }] as const);
    }),
  );
}

/** The declaration files of tools. */
export async function emitTypings(tools: readonly ToolPlan[]): Promise<GeneratedFile[]> {
  const declared = await declareTypes(tools);
  return printModules(tools.map((tool) => planTypings(tool, declared)));
}

/** By type of the plan. */
type DeclaredTypes = ReadonlyMap<PlannedType, string>;

/** The types of tools as text, printed together: many take a third of the time that each alone would. */
function declareTypes(tools: readonly ToolPlan[]): Promise<DeclaredTypes> {
  return printDeclarations(tools.flatMap(({ types }) => types));
}

/** The declaration file of one tool: its types and the signature of its binding. */
function planTypings(tool: ToolPlan, declared: DeclaredTypes): PlannedModule {
  return {
    path: `${tool.moduleId}/${tool.file}.d.ts`,
    statements: [
      ...importFrom("@codemode/runtime/results", tool.resultTypes, true),
      ...declareTool(tool, declared, true),
    ],
  };
}

/** The same without what the types need of the runtime. */
function declareTool(tool: ToolPlan, declared: DeclaredTypes, hasDeclareKeyword: boolean): Statement[] {
  const { exportName, types, inputType, outputType, inputOptional, doc } = tool;
  const binding: FunctionDeclarationStructure = {
    kind: StructureKind.Function,
    // ts-morph puts the text of a doc on lines of its own where it begins with a line break.
    docs: [`\n${doc}`],
    isExported: true,
    hasDeclareKeyword,
    name: exportName,
    parameters: [{ name: "input", hasQuestionToken: inputOptional, type: inputType }],
    returnType: `Promise<${outputType}>`,
  };
  return [...types.map((type) => declared.get(type) ?? ""), binding];
}

function planBinding(tool: ToolPlan, example: JsonValue | undefined): Statement[] {
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
  return [
    ...importFrom("@codemode/runtime/v1", [{ name: "callTool", local: callTool }]),
    ...importFrom(`./${baseName(tool.file)}.validator.js`, [{ name: "validateInput", local: validateInput }]),
    constant({ name: bound, initializer: printObject(fields) }),
    {
      kind: StructureKind.Function,
      isExported: true,
      isAsync: true,
      name: tool.exportName,
      parameters: [{ name: "input", ...withoutUndefined({ initializer: tool.inputOptional ? "{}" : undefined }) }],
      statements: [`return ${callTool}(${bound}, input);`],
    },
  ];
}

function importFrom(
  moduleSpecifier: string,
  names: readonly { name: string; local: string }[],
  isTypeOnly = false,
): Statement[] {
  if (names.length === 0) return [];
  const toImport = ({ name, local }: (typeof names)[number]) => ({
    name,
    ...withoutUndefined({ alias: local === name ? undefined : local }),
  });
  const distinct = new Map(names.map((each) => [each.local, toImport(each)]));
  const namedImports = [...distinct.values()].toSorted((left, right) => byCodeUnits(left.name, right.name));
  return [{ kind: StructureKind.ImportDeclaration, isTypeOnly, namedImports, moduleSpecifier }];
}

function exportFrom(moduleSpecifier: string, names: readonly string[], types: readonly string[] = []): Statement {
  const namedExports = [...names.map((name) => ({ name })), ...types.map((name) => ({ name, isTypeOnly: true }))];
  return { kind: StructureKind.ExportDeclaration, namedExports, moduleSpecifier };
}

function constant(declaration: OptionalKind<VariableDeclarationStructure>, isExported = false): Statement {
  return {
    kind: StructureKind.VariableStatement,
    isExported,
    declarationKind: VariableDeclarationKind.Const,
    declarations: [declaration],
  };
}

/** A clean schema should always compile; one that does not leaves the check to the host and the server. */
function printInputValidator(document: JsonObject): PrintedValidator {
  try {
    return printValidator(document);
  } catch {
    const { source, accepts } = printValidator({ type: "object" });
    return { source: `// Warning: the schema does not compile; any object is accepted here.\n${source}`, accepts };
  }
}

/** A name inside of the module that is not the tool's own. */
function localName(name: string, tool: ToolPlan): string {
  return name === tool.exportName ? `${name}_` : name;
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
  const used = new Map(tools.flatMap(({ resultTypes }) => resultTypes.map((type) => [type.local, type] as const)));
  const bodies = used.size === 0 ? [] : [printBody([...used.values()].map(declareResultType))];
  for (const tool of tools) {
    bodies.push(printBody(declareTool(tool, await declareTypes([tool]), false)));
    await pause?.();
  }
  return printAmbientModule(`@codemode/servers/${server.moduleId}`, bodies);
}

/** The text is read without the module that has the types. */
function declareResultType({ name, local }: ResultType): Statement {
  const kind = StructureKind.TypeAlias;
  return name === "JsonText"
    ? {
        kind,
        docs: ["A string: JSON.parse of it gives a T."],
        name: local,
        typeParameters: ["T"],
        type: "string & { readonly parsed?: T }",
      }
    : {
        kind,
        name: local,
        type: "{ content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string }[] }",
      };
}

/** What the server and its tools are called (specification 5.2). */
const META_DECLARATION: Statement = {
  kind: StructureKind.VariableStatement,
  docs: ["What the server and its tools are called (specification 5.2)."],
  isExported: true,
  hasDeclareKeyword: true,
  declarationKind: VariableDeclarationKind.Const,
  declarations: [
    {
      name: "__meta__",
      type: `{
  readonly serverId: string;
  readonly serverName: string;
  readonly serverVersion?: string;
  readonly tools: readonly { readonly toolName: string; readonly exportName: string; readonly description?: string }[];
}`,
    },
  ],
};
