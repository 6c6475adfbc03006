import {
  blankSpans,
  childNode,
  childNodes,
  walkSyntax,
  type SyntaxNode,
  type TextSpan,
} from "../syntax/syntax-tree.ts";
import { TOKEN_SPACE } from "../syntax/token-space.ts";

/** The statements of a module as the body of a function, which an engine that takes no modules can compile. */
export interface FunctionBody {
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
