import { Script } from "node:vm";
import { BUNDLE_URL } from "../../../schemas/bundle.ts";
import type { Diagnostic } from "../../../schemas/answer.ts";
import { blankSpans, childNode, childNodes, walkSyntax, type SyntaxNode, type TextSpan } from "./syntax-tree.ts";
import type { ImportingModule } from "./packages/package-failure.ts";
import { formatPath, originalPositionAt } from "./source-position.ts";
import { syntaxError } from "./syntax-error.ts";

/** What V8 has against a text. */
interface CompileError {
  message: string;
  /** From 1; absent where V8 names none. */
  line?: number;
  /** From 0. */
  column: number;
}

/** A module of the author's, as V8 can compile it alone. */
export interface AuthoredModule extends ImportingModule {
  program: SyntaxNode | undefined;
}

/**
 * Compiles a finished program as the sandbox will, and runs nothing of it. Undefined where it is JavaScript.
 * A program that is none is a mistake of codemode's, unless V8 refuses what the author wrote as well.
 */
export async function checkProgram(
  program: string,
  modules: Iterable<AuthoredModule>,
): Promise<Diagnostic | undefined> {
  const error = findCompileError(program);
  if (error === undefined) return undefined;
  for (const module of modules) {
    const diagnostic = module.program === undefined ? undefined : await checkModule(module, module.program);
    if (diagnostic !== undefined) return diagnostic;
  }
  return {
    severity: "error",
    code: "BUNDLE_FAILURE",
    message: `codemode made a program of this script that is not JavaScript: ${error.message}.`,
    hint: "The mistake is in codemode, not in the script: report it together with the script.",
  };
}

const FUNCTION_START = '(async function () {"use strict";\n';

async function checkModule(module: AuthoredModule, program: SyntaxNode): Promise<Diagnostic | undefined> {
  const error = findCompileError(`${FUNCTION_START}${toFunctionBody(module.code, program)}\n})`);
  if (error === undefined) return undefined;
  if (error.line === undefined) return syntaxError(error.message, undefined);
  const before = module.code.split("\n").slice(0, error.line - 2);
  const offset = before.reduce((length, line) => length + line.length + 1, 0) + error.column;
  return syntaxError(error.message, formatPath(module.name, await originalPositionAt(module.code, offset, module.map)));
}

/** The statements of a module without its imports and exports, each at its place. */
function toFunctionBody(code: string, program: SyntaxNode): string {
  const blanks: TextSpan[] = [];
  for (const statement of childNodes(program, "body")) {
    if (!/^(Import|Export)/.test(statement.type)) continue;
    const declaration = childNode(statement, "declaration");
    // A default export may have no name: it becomes an operand.
    const kept = statement.type === "ExportDefaultDeclaration" ? "void" : "";
    blanks.push({ start: statement.start, end: declaration?.start ?? statement.end, kept });
  }
  walkSyntax(program, ({ type, start, end }) => {
    if (type === "MetaProperty" && code.startsWith("import", start)) blanks.push({ start, end, kept: "this" });
  });
  return blankSpans(
    code,
    blanks.toSorted((left, right) => left.start - right.start),
  );
}

function findCompileError(code: string): CompileError | undefined {
  try {
    void new Script(code, { filename: BUNDLE_URL });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [place = "", , caret = ""] = String(error.stack).split("\n");
    const line = new RegExp(`^${BUNDLE_URL}:(\\d+)$`).exec(place)?.[1];
    return {
      message: error.message,
      ...(line === undefined ? {} : { line: Number(line) }),
      column: caret.indexOf("^"),
    };
  }
}
