import { createHash } from "node:crypto";
import type { SourceMap } from "magic-string";
import type { Plugin } from "rollup";
import { childNode, childNodes, type SyntaxNode, toSyntax, TOKEN_SPACE, walkSyntax } from "../syntax/syntax-tree.ts";

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

/** Names the default exports that have no name, of the modules that it was shown. */
interface DefaultNames {
  note(id: string, program: SyntaxNode): void;
  /** Comes after the plugin that gives the modules. */
  plugin: Plugin;
}

export function makeDefaultNames(): DefaultNames {
  const nameless = new Set<string>();
  return {
    note(id, program) {
      if (findNamelessDefault(program) !== undefined) nameless.add(id);
    },
    plugin: {
      name: "codemode-default-names",
      transform(code, id) {
        return nameless.has(id) ? nameDefaultExport(code, toSyntax(this.parse(code))) : null;
      },
    },
  };
}

/**
 * Gives a default export without a name the `name` that the language gives it. The bundler would name it after the file of its module.
 */
async function nameDefaultExport(
  code: string,
  program: SyntaxNode,
): Promise<{ code: string; map: SourceMap } | undefined> {
  const exported = findNamelessDefault(program);
  if (exported === undefined) return undefined;
  const { default: MagicString } = await import("magic-string");
  const edited = new MagicString(code);
  if (exported.type === "FunctionDeclaration") {
    // It is there before the module runs, as an expression would not be.
    const [head = ""] = FUNCTION_HEAD.exec(code.slice(exported.start)) ?? [];
    edited.appendLeft(exported.start + head.length, ` ${toDefaultName(code)}`);
  } else {
    edited.appendRight(exported.start, '({ "default": ');
    edited.appendLeft(exported.end, ' })["default"]');
    if (exported.type === "ClassDeclaration") edited.appendLeft(exported.end, ";");
  }
  return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }) };
}

const FUNCTION_HEAD = new RegExp(String.raw`^(?:async${TOKEN_SPACE})?function(?:${TOKEN_SPACE}\*)?`);

const NAMELESS = /^(ArrowFunctionExpression|(Function|Class)(Declaration|Expression))$/;

function findNamelessDefault(program: SyntaxNode): SyntaxNode | undefined {
  const statement = childNodes(program, "body").find(({ type }) => type === "ExportDefaultDeclaration");
  const exported = statement === undefined ? undefined : childNode(statement, "declaration");
  if (exported === undefined || !NAMELESS.test(exported.type)) return undefined;
  return childNode(exported, "id") === undefined ? exported : undefined;
}

/** Lengths of white space from which the bundler's trimming is slow. */
const LONG_SPACE = /\s{100}/;

/** A statement without effect. The bundler writes the word again, so that it is a piece of its own. */
const LAST_STATEMENT = "\nthis;";

/**
 * Ends modules with a small piece of text. The bundler trims the last piece of each module with `/\s+$/`, which takes quadratic time for
 * white space anywhere in it: minutes for 100 kB. Most modules are one piece.
 *
 * @param isWhole true for modules that the bundler leaves nothing out of
 */
export function boundTrimming(isWhole: (id: string) => boolean): Plugin {
  return {
    name: "codemode-bound-trimming",
    transform(code, id) {
      return isWhole(id) && LONG_SPACE.test(code) ? { code: code + LAST_STATEMENT, map: null } : null;
    },
  };
}

const PROXY = /\bProxy\b/;

/** No arguments, as a list that is not empty. */
const NO_ARGUMENTS = "...[]";

/**
 * Writes calls without arguments otherwise in modules that name `Proxy`: the bundler breaks on a call of `Proxy` without any, under any name
 * that it follows. The language has such a call throw an error.
 */
export function fillEmptyCalls(isWhole: (id: string) => boolean): Plugin {
  return {
    name: "codemode-empty-calls",
    async transform(code, id) {
      if (!isWhole(id) || !PROXY.test(code)) return null;
      const { default: MagicString } = await import("magic-string");
      const edited = new MagicString(code);
      walkSyntax(toSyntax(this.parse(code)), (node) => {
        if (!/^(Call|New)Expression$/.test(node.type) || childNodes(node, "arguments").length > 0) return;
        if (hasArgumentList(code, node)) edited.appendLeft(node.end - 1, NO_ARGUMENTS);
        else edited.appendLeft(node.end, `(${NO_ARGUMENTS})`);
      });
      if (!edited.hasChanged()) return null;
      return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }) };
    },
  };
}

const COMMENTS = /\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|\/\/.*/g;

/** False for `new name`. What is called may stand in parentheses of its own. */
function hasArgumentList(code: string, node: SyntaxNode): boolean {
  if (node.type === "CallExpression") return true;
  return code.slice(childNode(node, "callee")?.end, node.end).replace(COMMENTS, "").includes("(");
}
