import { Script } from "node:vm";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { BUNDLE_URL, type Bundle } from "../../../schemas/run/bundle.ts";
import { printLinkedRuntime } from "./linked-runtime.ts";
import { formatPath, pathInModule, type WrittenModule } from "../syntax/source-position.ts";
import { constantImport, syntaxError } from "../syntax/syntax-error.ts";
import {
  type SyntaxNode,
  blankSpans,
  childNode,
  childNodes,
  walkSyntax,
  type TextSpan,
  TOKEN_SPACE,
} from "../syntax/syntax-tree.ts";
import { toDiagnostic } from "../modules/import-problem.ts";

/** What V8 has against a text. */
interface CompileError {
  message: string;
  /** Both from 1; absent where V8 names none. */
  place?: { line: number; column: number } | undefined;
}

/** A module of the author's, as V8 can compile it alone. */
interface CompiledModule extends WrittenModule {
  /** Absent for JSON. */
  program?: SyntaxNode | undefined;
}

/** V8's words for `delete name`. Only Rollup writes it, for `delete namespace?.name`. */
const DELETED_IMPORT = /^Delete of an unqualified identifier/;

/**
 * Compiles a finished program as the sandbox will, and runs nothing of it. Undefined where it is JavaScript.
 * A program that is none is a mistake of codemode's, unless V8 refuses what the author wrote as well.
 */
export async function checkProgram(
  program: Pick<Bundle, "code" | "map">,
  modules: Iterable<CompiledModule>,
): Promise<Diagnostic | undefined> {
  // The runtime is the same in all programs, and the longest part of most.
  const error = findCompileError(program.code.replace(printLinkedRuntime(), () => ""));
  if (error === undefined) return undefined;
  for (const module of modules) {
    const diagnostic = module.program === undefined ? undefined : await checkModule(module, module.program);
    if (diagnostic !== undefined) return diagnostic;
  }
  const path = await findAuthorPath(error, program);
  if (DELETED_IMPORT.test(error.message)) return constantImport(path);
  return bundleFailure(error.message, path);
}

/** A program of ours that is no JavaScript. `path` is the place of the script that the text was made of. */
export function bundleFailure(message: string, path?: string): Diagnostic {
  const problem = {
    code: "BUNDLE_FAILURE" as const,
    message: `codemode generated invalid JavaScript from this script: ${message.replace(/\.$/, "")}.`,
    hint: "This is a bug in codemode, not in the script: report it with the script.",
  };
  return toDiagnostic(problem, path);
}

const FUNCTION_START = '(async function () {"use strict";\n';

/** The ends of lines that the engine counts. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

async function checkModule(module: CompiledModule, program: SyntaxNode): Promise<Diagnostic | undefined> {
  const body = toFunctionBody(module.code, program);
  const error = findCompileError(`${FUNCTION_START}${body.text}\n})`);
  if (error === undefined) return undefined;
  if (error.place === undefined) return syntaxError(error.message, undefined);
  const { line, column } = error.place;
  const lineStarts = Array.from(body.text.matchAll(LINE_END), ({ index, 0: end }) => index + end.length);
  const offset = body.toModuleOffset(([0, ...lineStarts][line - 2] ?? 0) + column - 1);
  return syntaxError(error.message, await pathInModule(module, offset));
}

async function findAuthorPath({ place }: CompileError, { map }: Pick<Bundle, "map">): Promise<string | undefined> {
  if (place === undefined) return undefined;
  const { TraceMap, originalPositionFor } = await import("@jridgewell/trace-mapping");
  const trace = new TraceMap({ ...map, sources: [...map.sources], names: [...map.names] });
  const { source, line, column } = originalPositionFor(trace, { line: place.line, column: place.column - 1 });
  return source === null ? undefined : formatPath(source, { line, column: column + 1 });
}

/** What V8 has against a text that is no module; undefined where it compiles. */
export function findCompileError(code: string): CompileError | undefined {
  try {
    void new Script(code, { filename: BUNDLE_URL });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [file = "", , caret = ""] = String(error.stack).split("\n");
    const line = /^codemode:.*:(\d+)$/.exec(file)?.[1];
    const place = line === undefined ? {} : { place: { line: Number(line), column: caret.indexOf("^") + 1 } };
    return { message: error.message, ...place };
  }
}

/** The statements of a module as the body of a function, which an engine that takes no modules can compile. */
interface FunctionBody {
  text: string;
  /** The offset in the module of an offset in `text`. */
  toModuleOffset(offset: number): number;
}

/**
 * Leaves out imports and exports of a module, and keeps what they declare or compute.
 * @param target the variable that a default export is assigned to which is an expression; at most as long as `_` or `__default__`
 */
export function toFunctionBody(code: string, program: SyntaxNode, target = "_"): FunctionBody {
  const spans = childNodes(program, "body").flatMap((statement) => blankExport(code, statement, `${target} =`));
  // Its words have no escapes.
  if (code.includes("meta"))
    walkSyntax(program, ({ type, start, end }) => {
      if (type === "MetaProperty" && code.startsWith("import", start)) spans.push({ start, end, kept: "this" });
    });
  const text = blankSpans(
    code,
    spans.toSorted((left, right) => left.start - right.start),
  );
  const inserted = spans.find(({ start, end }) => start === end)?.start ?? code.length;
  return { text, toModuleOffset: (offset) => (offset > inserted ? offset - INSERTED.length : offset) };
}

const DEFAULT_HEAD = new RegExp(String.raw`^export${TOKEN_SPACE}default`);
const EXPORT = "export";

/** Ends the statement before, as `import` and `export` do. */
const EMPTY_STATEMENT = ";";

/** Ends a function or class that is an operand now, and was a declaration that ended itself. */
const INSERTED = ";";

/** @param assignment takes every expression that can be exported, an arrow function among them */
function blankExport(code: string, statement: SyntaxNode, assignment: string): TextSpan[] {
  const { type, start, end } = statement;
  if (!/^(Import|Export)/.test(type)) return [];
  const declaration = childNode(statement, "declaration");
  if (declaration === undefined) return [{ start, end, kept: EMPTY_STATEMENT }];
  if (type !== "ExportDefaultDeclaration") return [{ start, end: start + EXPORT.length, kept: EMPTY_STATEMENT }];
  const [head = ""] = DEFAULT_HEAD.exec(code.slice(start)) ?? [];
  const keywords = { start, end: start + head.length };
  if (!declaration.type.endsWith("Declaration")) return [{ ...keywords, kept: assignment }];
  if (childNode(declaration, "id") !== undefined) return [{ ...keywords, kept: EMPTY_STATEMENT }];
  return [
    { ...keywords, kept: assignment },
    { start: declaration.end, end: declaration.end, kept: INSERTED },
  ];
}
