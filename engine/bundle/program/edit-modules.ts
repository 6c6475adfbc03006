import { createHash } from "node:crypto";
import type { MagicString, SourceMap } from "magic-string";
import { childNode, childNodes, type Parse, type SyntaxNode, TOKEN_SPACE, walkSyntax } from "../syntax/syntax-tree.ts";

/** What is known of a module before it is edited. */
export interface EditedModule {
  code: string;
  parse: Parse;
  /** True where the bundler leaves nothing out of it. */
  isWhole: boolean;
  /** True where its default export is a function or class without a name. */
  isNameless: boolean;
}

/** Rewrites what the bundler would change or break on; null where nothing has to be. Lines stay. */
export async function editModule({
  code,
  parse,
  isWhole,
  isNameless,
}: EditedModule): Promise<{ code: string; map: SourceMap | null } | null> {
  const mayCallProxy = isWhole && PROXY.test(code);
  const ending = isWhole && LONG_SPACE.test(code) ? LAST_STATEMENT : "";
  if (!isNameless && !mayCallProxy) return ending === "" ? null : { code: code + ending, map: null };
  const { default: Edited } = await import("magic-string");
  const edited = new Edited(code);
  const program = parse(code);
  if (mayCallProxy) fillEmptyCalls(edited, program);
  if (isNameless) nameDefaultExport(edited, program);
  if (!edited.hasChanged()) return ending === "" ? null : { code: code + ending, map: null };
  return { code: edited.append(ending).toString(), map: edited.generateMap({ hires: "boundary" }) };
}

/** Lengths of white space from which the bundler's trimming is slow. */
const LONG_SPACE = /\s{100}/;

/**
 * Ends a module with a small piece of text, a statement without effect. The bundler trims the last piece of each module with `/\s+$/`, which
 * takes quadratic time for white space anywhere in it: minutes for 100 kB. Most modules are one piece.
 */
const LAST_STATEMENT = "\nthis;";

const PROXY = /\bProxy\b/;

/** No arguments, as a list that is not empty. */
const NO_ARGUMENTS = "...[]";

/**
 * Writes calls without arguments otherwise in modules that name `Proxy`: the bundler breaks on a call of `Proxy` without any, under any name
 * that it follows. The language has such a call throw an error.
 */
function fillEmptyCalls(edited: MagicString, program: SyntaxNode): void {
  walkSyntax(program, (node) => {
    if (!/^(Call|New)Expression$/.test(node.type) || childNodes(node, "arguments").length > 0) return;
    if (hasArgumentList(edited.original, node)) edited.appendLeft(node.end - 1, NO_ARGUMENTS);
    else edited.appendLeft(node.end, `(${NO_ARGUMENTS})`);
  });
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)|\/\/.*/g;

/** False for `new name`. What is called may stand in parentheses of its own. */
function hasArgumentList(code: string, node: SyntaxNode): boolean {
  if (node.type === "CallExpression") return true;
  return code.slice(childNode(node, "callee")?.end, node.end).replace(COMMENTS, "").includes("(");
}

/** What a default export is called in a bundle that is a function without a name begins so; its `name` is `default`. */
export const DEFAULT_NAME = "__codemode_default_";

const DEFAULT_NAMES = new RegExp(`^${DEFAULT_NAME}[0-9a-f]{16}(\\$|$)`);

/** Whether a variable of a bundle is such a default export. */
export function isDefaultName(name: string): boolean {
  return DEFAULT_NAMES.test(name);
}

/** No module can hold the digest of its own text, so its author has not used the name. */
function toDefaultName(code: string): string {
  return `${DEFAULT_NAME}${createHash("sha256").update(code).digest("hex").slice(0, 16)}`;
}

/**
 * Gives a default export without a name the `name` that the language gives it. The bundler would name it after the file of its module.
 */
function nameDefaultExport(edited: MagicString, program: SyntaxNode): void {
  const exported = findNamelessDefault(program);
  if (exported?.type === "FunctionDeclaration") {
    // It is there before the module runs, as an expression would not be.
    const [head = ""] = FUNCTION_HEAD.exec(edited.original.slice(exported.start)) ?? [];
    edited.appendLeft(exported.start + head.length, ` ${toDefaultName(edited.original)}`);
  } else if (exported !== undefined) {
    edited.appendRight(exported.start, '({ "default": ');
    edited.appendLeft(exported.end, ' })["default"]');
    if (exported.type === "ClassDeclaration") edited.appendLeft(exported.end, ";");
  }
}

const FUNCTION_HEAD = new RegExp(String.raw`^(?:async${TOKEN_SPACE})?function(?:${TOKEN_SPACE}\*)?`);

const NAMELESS = /^(ArrowFunctionExpression|(Function|Class)(Declaration|Expression))$/;

/** The default export of a module, where it is a function or class without a name. */
export function findNamelessDefault(program: SyntaxNode): SyntaxNode | undefined {
  const statement = childNodes(program, "body").find(({ type }) => type === "ExportDefaultDeclaration");
  const exported = statement === undefined ? undefined : childNode(statement, "declaration");
  if (exported === undefined || !NAMELESS.test(exported.type)) return undefined;
  return childNode(exported, "id") === undefined ? exported : undefined;
}
