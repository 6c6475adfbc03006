import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { describeMore, MAX_DIAGNOSTICS } from "../../../schemas/run/cap-diagnostics.ts";
import { findImportProblems, findUnsupportedSyntax, toDiagnostic, type ImportMeaning } from "../syntax/check-module.ts";
import { findImports, type ImportUse } from "../syntax/find-imports.ts";
import type { PlacedProblem } from "../modules/import-problem.ts";
import { findForeignNames } from "./describe-undeclared.ts";
import { type FreeNames, withScopesOf } from "../syntax/find-undeclared.ts";
import { findUndeclaredExports } from "../syntax/local-exports.ts";
import { findScriptDeclarations, type ScriptDeclarations } from "../syntax/script-declarations.ts";
import {
  formatPath,
  originalPositionAt,
  positionAt,
  type ModuleMap,
  type SourcePosition,
} from "../syntax/source-position.ts";
import { blankComments, isJavaScript, findLegacyComments } from "../syntax/read-with-acorn.ts";
import { isTooDeep, syntaxError } from "../syntax/syntax-error.ts";
import { type SyntaxNode, isMemberName, walkSyntax } from "../syntax/syntax-tree.ts";

/** A module of the author's as the bundler reads it. */
export interface AuthorModule {
  /** Shown in messages and source maps. */
  name: string;
  source: string;
  /** The script itself, which may declare its input; absent for the modules beside it. */
  isScript?: boolean | undefined;
}

/** JavaScript of an author's module, with the meaning of each of its imports. */
export type PreparedModule =
  | {
      ok: true;
      code: string;
      map: ModuleMap | undefined;
      imports: ReadonlyMap<string, string>;
      uses: readonly ImportUse[];
      /** Where the module asks for something first: offsets in its `code`, by id of what it gets. */
      places: ReadonlyMap<string, number>;
      program?: SyntaxNode | undefined;
      /** What it refers to without declaring it. */
      free: FreeNames;
      declarations?: ScriptDeclarations | undefined;
    }
  | { ok: false; diagnostics: Diagnostic[] };

export interface AuthorImportMeaning extends ImportMeaning {
  /** The names that a module which can be imported has neither as values nor as types. */
  findUnmentionedNames(use: ImportUse): PlacedProblem[];
}

export type Parse = (code: string) => SyntaxNode;

/** Strips the types of a module and checks everything that it imports. */
export async function prepareModule(
  module: AuthorModule,
  parse: Parse,
  meaning: AuthorImportMeaning,
): Promise<PreparedModule> {
  if (extname(module.name) === ".json") return prepareJson(module);
  const source = await blankComments(maskHashbang(module.source));
  const language = [".js", ".mjs"].includes(extname(module.name)) ? "js" : "ts";
  const asWritten = await stripTypes(module.name, source, { language, keepUnusedImports: true });
  // TypeScript forbids some of what JavaScript allows, such as two static members of one name.
  if (!asWritten.ok && !(await isJavaScript(source))) return asWritten;
  // JavaScript stays as it is, so that its places need no map.
  if (!asWritten.ok || language === "js") return checkImports({ ...module, source }, { code: source }, parse, meaning);
  const stripped = await stripTypes(module.name, source, { language, keepUnusedImports: false });
  if (!stripped.ok) return stripped;
  if (asWritten.code === stripped.code) return checkImports({ ...module, source }, stripped, parse, meaning);
  // An import that nothing uses is gone from `stripped`; the author shall hear of it all the same.
  const whole = await checkImports({ ...module, source }, asWritten, parse, {
    ...meaning,
    findMissingNames: meaning.findUnmentionedNames,
  });
  if (!whole.ok) return whole;
  const prepared = await checkImports({ ...module, source }, stripped, parse, meaning);
  // A name may be that of such an import, misspelt.
  return prepared.ok ? { ...prepared, free: withScopesOf(whole.free, prepared.free) } : prepared;
}

async function checkImports(
  module: AuthorModule,
  { code, map }: { code: string; map?: ModuleMap | undefined },
  parse: Parse,
  meaning: ImportMeaning,
): Promise<PreparedModule> {
  let program: SyntaxNode;
  try {
    program = parse(code);
  } catch (error) {
    if (isTooDeep(error)) throw error;
    const { message, pos } = error as { message: string; pos?: number | undefined };
    const position = pos === undefined ? findRegExp(module.source, message) : await originalPositionAt(code, pos, map);
    const path = position === undefined ? undefined : formatPath(module.name, position);
    return { ok: false, diagnostics: [syntaxError(message, path)] };
  }
  const ids = new Map<string, string>();
  const places = new Map<string, number>();
  const imports = findImports(program);
  const declarations = module.isScript === true ? findScriptDeclarations(program) : undefined;
  const problems = [
    ...(declarations?.problems ?? []),
    ...findUnsupportedSyntax(program),
    ...findUndeclaredExports(program),
    ...(await findLegacyComments(code)),
    ...findImportProblems(imports, {
      ...meaning,
      resolve(use) {
        const outcome = meaning.resolve(use);
        if (outcome.ok) {
          ids.set(use.specifier, outcome.id);
          if (!places.has(outcome.id)) places.set(outcome.id, use.start);
        }
        return outcome;
      },
    }),
  ];
  if (problems.length === 0) {
    const free = findForeignNames(program);
    return {
      ok: true,
      code: hideArguments(code, program),
      map,
      imports: ids,
      uses: imports.uses,
      places,
      program,
      free,
      ...withoutUndefined({ declarations }),
    };
  }
  const sorted = problems.toSorted(byStart);
  const diagnostics = sorted.slice(0, MAX_DIAGNOSTICS).map(async (problem) => {
    const position = await findAuthorPosition(module.source, code, map, problem);
    return toDiagnostic(problem, formatPath(module.name, position));
  });
  const [next, ...others] = sorted.slice(MAX_DIAGNOSTICS);
  const more = next === undefined ? [] : [describeMore(others.length + 1, toDiagnostic(next, undefined))];
  return { ok: false, diagnostics: [...(await Promise.all(diagnostics)), ...more] };
}

function byStart(left: PlacedProblem, right: PlacedProblem): number {
  return left.start - right.start;
}

/** The engine says which regular expression is wrong, and not where it stands. */
function findRegExp(source: string, message: string): SourcePosition | undefined {
  const [, literal] = /^Invalid regular expression: (\/.*\/)\w*: /s.exec(message) ?? [];
  const offset = literal === undefined ? -1 : source.indexOf(literal);
  return offset === -1 ? undefined : positionAt(source, offset);
}

/** TypeScript's own CommonJS forms are rewritten from their first word on: the place is the start of the statement. */
async function findAuthorPosition(
  source: string,
  code: string,
  map: ModuleMap | undefined,
  problem: PlacedProblem,
): Promise<SourcePosition> {
  const position = await originalPositionAt(code, problem.start, map);
  const line = source.split("\n")[position.line - 1] ?? "";
  const statement = /^\s*(?=(export\s+)?import\s+[\w$]+\s*=|export\s*=)/.exec(line);
  return statement === null ? position : { ...position, column: statement[0].length + 1 };
}

function prepareJson({ name, source }: AuthorModule): PreparedModule {
  try {
    JSON.parse(source);
  } catch (error) {
    const [, offset] = /position (\d+)/.exec(String(error)) ?? [];
    const path = formatPath(name, positionAt(source, offset === undefined ? source.length : Number(offset)));
    return { ok: false, diagnostics: [syntaxError("This is not JSON.", path)] };
  }
  // As text: an object literal would take the key `__proto__` for the prototype.
  return {
    ok: true,
    code: `export default JSON.parse(${JSON.stringify(source)});\n`,
    map: undefined,
    imports: new Map(),
    uses: [],
    places: new Map(),
    free: { undeclared: [], globals: new Set() },
  };
}

/** The first line of an executable script becomes a comment of the same length. */
function maskHashbang(source: string): string {
  return source.startsWith("#!") ? `//${source.slice(2)}` : source;
}

/** Reads a module's text, without a byte order mark. */
export function readModuleText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\ufeff/, "");
}

type StripOutcome = { ok: true; code: string; map: ModuleMap } | { ok: false; diagnostics: Diagnostic[] };

type ScriptLanguage = "ts" | "js";

/**
 * Turns TypeScript into JavaScript of the same language level, and finds the syntax errors of both.
 * `keepUnusedImports` leaves every import that is not marked `type`, as the author wrote it.
 */
async function stripTypes(
  name: string,
  source: string,
  { language, keepUnusedImports }: { language: ScriptLanguage; keepUnusedImports: boolean },
): Promise<StripOutcome> {
  const { transformSync } = await import("oxc-transform");
  const { code, map, errors } = transformSync(`script.${language}`, source, {
    lang: language,
    sourceType: "module",
    sourcemap: true,
    target: "esnext",
    typescript: { onlyRemoveTypeImports: keepUnusedImports },
  });
  if (errors.length === 0 && map !== undefined) return { ok: true, code, map };
  const diagnostics = new Map<string, Diagnostic>();
  for (const { message, labels, helpMessage } of errors) {
    // Of what is there twice, the second place is the mistake.
    const isDouble = message.includes("multiple default exports");
    const label = labels.find((one) => one.message?.includes("redeclared")) ?? labels.at(isDouble ? -1 : 0);
    const path = formatPath(name, positionAt(source, toTextOffset(source, label?.start ?? 0)));
    // The parser may have several complaints about one place: the first is the plainest.
    if (!diagnostics.has(path)) diagnostics.set(path, syntaxError(message, path, helpMessage));
  }
  return { ok: false, diagnostics: [...diagnostics.values()] };
}

/** The parser counts bytes of UTF-8, positions count UTF-16 units. */
function toTextOffset(source: string, byteOffset: number): number {
  return Buffer.from(source).subarray(0, byteOffset).toString().length;
}

/** A name of the same length, so that the tree and all places stay right. */
const UNDEFINED = "undefined";

/**
 * A module has no `arguments` outside of its functions, and a bundle is a function: there the name reads `undefined`, as every name does
 * that is nowhere. Changes the tree too.
 *
 * @returns the code
 */
function hideArguments(code: string, program: SyntaxNode): string {
  if (!code.includes("arguments")) return code;
  const offsets: number[] = [];
  walkSyntax(program, (node, parent) => {
    if (["FunctionDeclaration", "FunctionExpression"].includes(node.type)) return false;
    // Of `{ arguments }` key and value are one text.
    if (node.type === "Property" && node["shorthand"] === true) return false;
    if (node.type !== "Identifier" || node["name"] !== "arguments" || isMemberName(parent)) return true;
    node["name"] = UNDEFINED;
    offsets.push(node.start);
    return true;
  });
  return offsets.reduce(
    (text, offset) => text.slice(0, offset) + UNDEFINED + text.slice(offset + UNDEFINED.length),
    code,
  );
}
