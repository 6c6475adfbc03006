import { readFileSync } from "node:fs";
import type { CommandSpec, OptionSpec } from "../../cli/command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../cli/commands.ts";
import { listFiles } from "../list-files.ts";

/** What the documentation is held against. */
export interface CodeFacts {
  commands: readonly CommandSpec[];
  globalOptions: readonly OptionSpec[];
  configSchema: SchemaNode;
  lockfileSchema: SchemaNode;
  /** The keys of each interface in schemas/lock/lockfile.ts. */
  lockfileTypes: ReadonlyMap<string, readonly string[]>;
  /** The codes of diagnostics. */
  diagnosticCodes: readonly string[];
  /** The codes of mistakes that end a command, and the exit code of each. */
  userErrors: ReadonlyMap<string, number>;
  /** The classes of `@codemode/errors`. */
  errorClasses: readonly string[];
  /** The scripts of package.json. */
  packageScripts: readonly string[];
  /** Words of capitals and `_` that stand in the sources: codes, names of variables. */
  constants: ReadonlySet<string>;
  /** Options of the programs that are run with Node: measurements, the release. */
  programOptions: ReadonlySet<string>;
}

/** A JSON Schema as this repository writes its own. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  $ref?: string;
  required?: string[];
  properties?: { [name: string]: SchemaNode };
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  oneOf?: SchemaNode[];
  definitions?: { [name: string]: SchemaNode };
}

/** Reads the facts out of the sources, types included: what the documentation names has to be in the very text of them. */
export function readCodeFacts(): CodeFacts {
  return (known ??= readAll());
}

/** The tests of one process read them once. */
let known: CodeFacts | undefined;

function readAll(): CodeFacts {
  const answer = read("schemas/run/answer.ts");
  const codes = /export type DiagnosticCode =([^;]*);/.exec(answer)?.[1] ?? "";
  const factories = ERROR_FILES.map(read)
    .join("")
    .matchAll(/new CodemodeError\(\s*"([A-Z_]+)",\s*(\d)/g);
  const manifest = JSON.parse(read("package.json")) as { scripts: object };
  return {
    commands: COMMANDS,
    globalOptions: GLOBAL_OPTIONS,
    configSchema: JSON.parse(read("schemas/config.schema.json")) as SchemaNode,
    lockfileSchema: JSON.parse(read("schemas/lockfile.schema.json")) as SchemaNode,
    lockfileTypes: readInterfaces(read("schemas/lock/lockfile.ts")),
    diagnosticCodes: [...codes.matchAll(/"([A-Z_]+)"/g)].map(([, code]) => code as string),
    userErrors: new Map([...factories].map(([, code, exitCode]) => [code as string, Number(exitCode)])),
    errorClasses: [...read("runtime/bindings/errors.ts").matchAll(/^export class (\w+)/gm)].map(
      ([, name]) => name as string,
    ),
    packageScripts: Object.keys(manifest.scripts),
    constants: findWords(
      ["schemas", "templates", "runtime", "extras", "cli", "openapi", "bench", "scripts", "test"],
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g,
    ),
    programOptions: findWords(["bench", "openapi", "scripts"], /(?<![\w-])--[a-z][\w-]*/g),
  };
}

/** The files with the factories of errors. */
const ERROR_FILES = [
  "schemas/errors.ts",
  "extras/batch/batch-errors.ts",
  "extras/durable/durable-errors.ts",
  "schemas/command-line-errors.ts",
  "extras/publish/package-errors.ts",
  "schemas/config/serve-errors.ts",
  "extras/learn/learn-errors.ts",
  "library/errors.ts",
];

const read = (path: string): string => readFileSync(path, "utf8");

function readInterfaces(source: string): Map<string, string[]> {
  const declarations = source.replaceAll(/\/\*.*?\*\//g, "").split(/^export (?=interface|type)/m);
  return new Map(
    declarations.map((text) => [
      /^(?:interface|type) (\w+)/.exec(text)?.[1] ?? "",
      [...text.matchAll(/(?:^\s+|[{;] )(\w+)\??:/gm)].map(([, key]) => key as string),
    ]),
  );
}

/** The words of a form that stand in the files below some folders. */
function findWords(folders: readonly string[], form: RegExp): Set<string> {
  const files = folders
    .flatMap((folder) => listFiles(folder, SKIPPED))
    .filter((path) => /\.(ts|js|mjs|json|ya?ml)$/.test(path));
  return new Set(files.flatMap((path) => read(path).match(form) ?? []));
}

const SKIPPED = new Set(["node_modules", "dist", "golden", "docs"]);
