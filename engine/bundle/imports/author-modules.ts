import { extname } from "node:path";
import { type Diagnostic, describeMore, MAX_DIAGNOSTICS } from "../../../schemas/run/answer.ts";
import { findImportProblems, findUnsupportedSyntax, type ImportMeaning } from "../syntax/check-module.ts";
import { findImports, type ImportUse } from "../syntax/find-imports.ts";
import { type PlacedProblem, toDiagnostic, type ImportOutcome, printJsonModule } from "../modules/import-problem.ts";
import { findForeignNames } from "./describe-undeclared.ts";
import { findUndeclaredExports, type FreeNames, NOTHING_FREE, withScopesOf } from "../syntax/find-undeclared.ts";
import { findScriptDeclarations, type ScriptDeclarations } from "../syntax/script-declarations.ts";
import {
  formatPath,
  mapToItself,
  originalPositionAt,
  positionAt,
  pathInModule,
  type ModuleMap,
  type SourcePosition,
  type WrittenModule,
} from "../syntax/source-position.ts";
import { blankComments, isJavaScript, findLegacyComments } from "../syntax/read-with-acorn.ts";
import { wrapReturn, type WrappedReturn } from "./top-level-return.ts";
import { isTooDeep, syntaxError } from "../syntax/syntax-error.ts";
import {
  blankSpans,
  childNode,
  childNodes,
  type SyntaxNode,
  isMemberName,
  nameOf,
  type TextSpan,
  walkSyntax,
  type Parse,
} from "../syntax/syntax-tree.ts";

/** A module of the author's as the bundler reads it. */
export interface AuthorModule {
  /** Shown in messages and source maps. */
  name: string;
  source: string;
  /** The script itself, which may declare its input; absent for the modules beside it. */
  isScript?: boolean | undefined;
}

/** JavaScript of an author's module, with the meaning of each of its imports. */
export interface AuthoredModule extends WrittenModule {
  ok: true;
  imports: ReadonlyMap<string, string>;
  uses: readonly ImportUse[];
  /** Where the module asks for something first: offsets in its `code`, by id of what it gets. */
  places: ReadonlyMap<string, number>;
  /** Absent for JSON. */
  program?: SyntaxNode | undefined;
  /** What it refers to without declaring it. */
  free: FreeNames;
  declarations?: ScriptDeclarations | undefined;
}

export type PreparedModule = AuthoredModule | { ok: false; diagnostics: Diagnostic[] };

export interface AuthorImportMeaning extends ImportMeaning {
  /** The names that a module which can be imported has neither as values nor as types. */
  findUnmentionedNames(use: ImportUse): PlacedProblem[];
}

/**
 * Strips the types of a module and checks everything that it imports. A script may end with a `return` at its top level, as in systems that make a
 * function of it.
 * @param mistakes `unnamed` for a caller that compiles the result and asks again for what is wrong: text without types is read once then
 */
export async function prepareModule(
  module: AuthorModule,
  parse: Parse,
  meaning: AuthorImportMeaning,
  mistakes: "named" | "unnamed" = "named",
): Promise<PreparedModule> {
  const prepared = await prepareAsWritten(module, parse, meaning, mistakes);
  if (prepared.ok || module.isScript !== true || !prepared.diagnostics.some(isOfReturn)) return prepared;
  const wrapped = await wrapReturn(module.source);
  if (wrapped === undefined) return prepared;
  const whole = await prepareAsWritten({ ...module, source: wrapped.source }, parse, meaning, mistakes);
  if (whole.ok) return { ...whole, map: wrapped.toWrittenMap(whole.map ?? mapToItself(module.name, whole.code)) };
  // An export cannot stand in a function.
  if (whole.diagnostics.some(({ code }) => code === "SYNTAX_ERROR")) return prepared;
  return { ok: false, diagnostics: whole.diagnostics.map((found) => movePlace(found, wrapped)) };
}

function isOfReturn({ code, message }: Diagnostic): boolean {
  return code === "SYNTAX_ERROR" && /\breturn\b/i.test(message);
}

function movePlace(found: Diagnostic, { toWritten }: WrappedReturn): Diagnostic {
  const [, name, line, column] = /^(.*):(\d+):(\d+)$/s.exec(found.path ?? "") ?? [];
  if (name === undefined) return found;
  return { ...found, path: formatPath(name, toWritten({ line: Number(line), column: Number(column) })) };
}

async function prepareAsWritten(
  module: AuthorModule,
  parse: Parse,
  meaning: AuthorImportMeaning,
  mistakes: "named" | "unnamed",
): Promise<PreparedModule> {
  if (extname(module.name) === ".json") return prepareJson(module);
  if (/^\s*```/.test(module.source))
    return {
      ok: false,
      diagnostics: [syntaxError(FENCED, formatPath(module.name, positionAt(module.source, 0)), UNFENCE)],
    };
  // The first line of an executable script becomes a comment of the same length.
  const source = await blankComments(module.source.replace(/^#!/, "//"));
  const check = ({ code, map }: { code: string; map?: ModuleMap | undefined }, names: ImportMeaning = meaning) =>
    checkImports({ ...module, source }, { name: module.name, code, map }, parse, names);
  /** The module as it is, where its text is JavaScript and TypeScript alike and each import is used: no compiler changes it then. */
  const findUnchanged = async (): Promise<PreparedModule | undefined> => {
    const same = mayHaveTypeArguments(source) ? undefined : await check({ code: source });
    return same?.ok === true && usesAllImports(same) ? same : undefined;
  };
  const early = mistakes === "unnamed" ? await findUnchanged() : undefined;
  if (early !== undefined) return early;
  const language = [".js", ".mjs"].includes(extname(module.name)) ? "js" : "ts";
  const asWritten = await stripTypes(module.name, source, { language, keepUnusedImports: true });
  // TypeScript forbids some of what JavaScript allows, such as two static members of one name.
  if (!asWritten.ok && !(await isJavaScript(source))) return asWritten;
  // JavaScript stays as it is, so that its places need no map.
  if (!asWritten.ok || language === "js") return check({ code: source });
  const late = mistakes === "named" ? await findUnchanged() : undefined;
  if (late !== undefined) return late;
  const used = await check(asWritten);
  if (used.ok && usesAllImports(used) && !IMPORT_ALIAS.test(source)) return used;
  const stripped = await stripTypes(module.name, source, { language, keepUnusedImports: false });
  if (!stripped.ok) return stripped;
  if (asWritten.code === stripped.code) return used;
  // An import that nothing uses is gone from `stripped`, and is checked all the same.
  const whole = await check(asWritten, { ...meaning, findMissingNames: meaning.findUnmentionedNames });
  if (!whole.ok) return whole;
  const prepared = await check(stripped);
  // A name may mean such an import, misspelt.
  return prepared.ok ? { ...prepared, free: withScopesOf(whole.free, prepared.free) } : prepared;
}

/** JavaScript that TypeScript reads in another way has the signs of type arguments, as in `f<a>(b)`. */
function mayHaveTypeArguments(source: string): boolean {
  return source.includes("<") && /(?:^|[^=])>/.test(source);
}

/** `import alias = Namespace.member`, of which TypeScript drops one that nothing uses. */
const IMPORT_ALIAS = /\bimport\s+[\w$]+\s*=/;

/** Whether no import of the module could be one of types alone, which TypeScript would drop. */
function usesAllImports({ program, free }: AuthoredModule): boolean {
  if (program === undefined) return false;
  const statements = childNodes(program, "body");
  const imports = statements
    .filter(({ type }) => type === "ImportDeclaration")
    .map((one) => childNodes(one, "specifiers").map((specifier) => nameOf(childNode(specifier, "local")) ?? ""));
  const passedOn = statements
    .filter(({ type }) => type === "ExportDefaultDeclaration")
    .map((one) => nameOf(childNode(one, "declaration")));
  const isUsed = (name: string): boolean => free.used.has(name) && !passedOn.includes(name);
  const passesOn = statements.some((one) => one.type.startsWith("Export") && childNode(one, "source") !== undefined);
  return !passesOn && imports.every((names) => names.length > 0 && names.every(isUsed));
}

async function checkImports(
  { source, isScript }: AuthorModule,
  written: WrittenModule,
  parse: Parse,
  meaning: ImportMeaning,
): Promise<PreparedModule> {
  const { name, code } = written;
  let program: SyntaxNode;
  try {
    program = parse(code);
  } catch (error) {
    if (isTooDeep(error)) throw error;
    const { message, pos } = error as { message: string; pos?: number | undefined };
    const path = pos === undefined ? findRegExp(name, source, message) : await pathInModule(written, pos);
    return { ok: false, diagnostics: [syntaxError(message, path)] };
  }
  const ids = new Map<string, string>();
  const places = new Map<string, number>();
  const { uses, ...imports } = findImports(program);
  const free = findForeignNames(program);
  const declarations = isScript === true ? findScriptDeclarations(program) : undefined;
  const resolve = (use: ImportUse): ImportOutcome => {
    const outcome = meaning.resolve(use);
    if (outcome.ok) {
      ids.set(use.specifier, outcome.id);
      if (!places.has(outcome.id)) places.set(outcome.id, use.start);
    }
    return outcome;
  };
  const problems = [
    ...(declarations?.problems ?? []),
    ...findUnsupportedSyntax(program),
    ...findUndeclaredExports(program, free),
    ...(await findLegacyComments(code)),
    ...findImportProblems({ uses, ...imports }, { ...meaning, resolve }),
  ];
  if (problems.length === 0) {
    const shown = { ...written, code: hideArguments(code, program) };
    return { ok: true, ...shown, imports: ids, uses, places, program, free, declarations };
  }
  const sorted = problems.toSorted((left, right) => left.start - right.start);
  const diagnostics = sorted.slice(0, MAX_DIAGNOSTICS).map(async (problem) => {
    return toDiagnostic(problem, formatPath(name, await findAuthorPosition(source, written, problem)));
  });
  const [next, ...others] = sorted.slice(MAX_DIAGNOSTICS);
  const more = next === undefined ? [] : [describeMore(others.length + 1, toDiagnostic(next, undefined))];
  return { ok: false, diagnostics: [...(await Promise.all(diagnostics)), ...more] };
}

/** The engine says which regular expression is wrong, and not where it stands. */
function findRegExp(name: string, source: string, message: string): string | undefined {
  const [, literal] = /^Invalid regular expression: (\/.*\/)\w*: /s.exec(message) ?? [];
  const offset = literal === undefined ? -1 : source.indexOf(literal);
  return offset === -1 ? undefined : formatPath(name, positionAt(source, offset));
}

/** TypeScript's own CommonJS forms are rewritten from their first word on: the place is the start of the statement. */
async function findAuthorPosition(
  source: string,
  { code, map }: WrittenModule,
  { start }: PlacedProblem,
): Promise<SourcePosition> {
  const position = await originalPositionAt(code, start, map);
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
  const none = new Map<never, never>();
  return {
    ok: true,
    name,
    code: printJsonModule(source),
    map: undefined,
    imports: none,
    uses: [],
    places: none,
    free: NOTHING_FREE,
  };
}

/**
 * Turns TypeScript into JavaScript of the same language level, and finds the syntax errors of both.
 * `keepUnusedImports` leaves every import that is not marked `type`, as the author wrote it.
 */
async function stripTypes(
  name: string,
  source: string,
  { language, keepUnusedImports }: { language: "ts" | "js"; keepUnusedImports: boolean },
): Promise<{ ok: true; code: string; map: ModuleMap } | { ok: false; diagnostics: Diagnostic[] }> {
  const { transformSync } = await import("oxc-transform");
  const { code, map, errors } = transformSync(`script.${language}`, source, {
    lang: language,
    sourceType: "module",
    sourcemap: true,
    target: "esnext",
    typescript: { onlyRemoveTypeImports: keepUnusedImports },
  });
  if (errors.length === 0 && map !== undefined) return { ok: true, code, map };
  // By their offset in bytes.
  const diagnostics = new Map<number, Diagnostic>();
  for (const { message, labels, helpMessage } of errors) {
    // Of what is there twice, the second place is the mistake.
    const isDouble = message.includes("multiple default exports");
    const label = labels.find((one) => one.message?.includes("redeclared")) ?? labels.at(isDouble ? -1 : 0);
    const start = label?.start ?? 0;
    // The parser may have several complaints about one place: the first is the plainest.
    if (diagnostics.has(start)) continue;
    // Position and hint read the whole text, and a text may have thousands of mistakes. The answer shows the first ones, and counts the others.
    const offset = diagnostics.size > MAX_DIAGNOSTICS ? undefined : toTextOffset(source, start);
    const path = offset === undefined ? undefined : formatPath(name, positionAt(source, offset));
    const hint = offset === undefined ? undefined : (hintForForeignText(source, offset) ?? helpMessage);
    diagnostics.set(start, syntaxError(message, path, hint));
  }
  return { ok: false, diagnostics: [...diagnostics.values()] };
}

const FENCED = "The code is in a Markdown fence.";
const UNFENCE = "Send the code without the lines that begin with ```.";

/** What to send in place of a text that no parser can read as a whole: one that was escaped on its way, or another language. */
function hintForForeignText(source: string, offset: number): string | undefined {
  if (!source.includes("\n") && source.includes("\\n") && source.slice(offset - 1, offset + 1).includes("\\"))
    return "The line breaks came as `\\n`, two characters each: send the text as it is.";
  if (/&(?:gt|lt|amp|quot|#39);/.test(source.slice(Math.max(0, offset - 6), offset + 6)))
    return "Send the characters in place of HTML entities such as `&gt;`.";
  if (source.split("\n").some(isPython))
    return "This looks like Python: a script is an ES module in TypeScript or JavaScript.";
  return undefined;
}

/** The start of a line that is Python and no JavaScript: an import or a comment. */
const PYTHON_LINE = /^(?:from [\w.]+ import |import [\w.]+(?: as \w+)?$|#[ \t]\S)/;
const PYTHON_BLOCK = /^(?:async )?(?:class|def|elif|else|except|finally|for|if|try|while|with)\b/;

function isPython(line: string): boolean {
  const text = line.trim();
  const [head = ""] = text.split("#");
  const isHead = PYTHON_BLOCK.test(text) && head.trimEnd().endsWith(":") && !/[{}]/.test(head);
  return isHead || PYTHON_LINE.test(text);
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
  const spans: TextSpan[] = [];
  walkSyntax(program, (node, parent) => {
    if (["FunctionDeclaration", "FunctionExpression"].includes(node.type)) return false;
    // Of `{ arguments }` key and value are one text.
    if (node.type === "Property" && node["shorthand"] === true) return false;
    if (node.type !== "Identifier" || node["name"] !== "arguments" || isMemberName(parent)) return true;
    node["name"] = UNDEFINED;
    spans.push({ start: node.start, end: node.end, kept: UNDEFINED });
    return true;
  });
  return blankSpans(code, spans);
}
