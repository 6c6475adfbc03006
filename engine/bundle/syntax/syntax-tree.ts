/** A node of an ESTree syntax tree, as Rollup and acorn both make them; other members depend on the type. */
export interface SyntaxNode {
  type: string;
  /** UTF-16 offsets in the parsed text. */
  start: number;
  end: number;
  [member: string]: unknown;
}

/** The tree of a parser, each of which has types of its own for it. */
export function toSyntax(program: object): SyntaxNode {
  return program as SyntaxNode;
}

export type Parse = (code: string) => SyntaxNode;

/** Makes a module of a text that has neither imports nor exports: `await (x)` is a call of a function there otherwise. */
const MODULE_MARK = "\nexport {};";

/** Loads the parser of modules, which is native code and takes a text without imports and exports for a script. */
export async function loadParser(): Promise<Parse> {
  const { parseAst } = await import("rollup/parseAst");
  return (code) => {
    try {
      const program = toSyntax(parseAst(`${code}${MODULE_MARK}`));
      (program["body"] as SyntaxNode[]).pop();
      return { ...program, end: code.length };
    } catch (error) {
      // Where the text alone is broken too, its own error has the better place.
      parseAst(code);
      throw error;
    }
  };
}

/** Where a node hangs in the tree. */
export interface SyntaxParent {
  node: SyntaxNode;
  member: string;
}

/** Calls `visit` for every node, parents first. Returning `false` skips what is below that node. */
export function walkSyntax(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxParent | undefined) => boolean | void,
  parent?: SyntaxParent,
): void {
  if (visit(node, parent) === false) return;
  // Lists of entries for millions of nodes would be most of the time that bundling a package takes.
  for (const member in node) {
    const value = node[member];
    if (typeof value !== "object" || value === null) continue;
    const here = { node, member };
    if (Array.isArray(value)) {
      for (const child of value) if (isSyntaxNode(child)) walkSyntax(child, visit, here);
    } else if (isSyntaxNode(value)) walkSyntax(value, visit, here);
  }
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value
  );
}

/** The member `name` of a node, where it is a node itself. */
export function childNode(node: SyntaxNode, name: string): SyntaxNode | undefined {
  const child = node[name];
  return isSyntaxNode(child) ? child : undefined;
}

/** The nodes in the list member `name`. */
export function childNodes(node: SyntaxNode, name: string): SyntaxNode[] {
  const children = node[name];
  return Array.isArray(children) ? children.filter(isSyntaxNode) : [];
}

/** The name of an identifier, or the text of a string that stands in its place (`import { "a b" as c }`). */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Identifier") return node["name"] as string;
  return constantText(node);
}

/** The text of a string literal or of a template without holes. */
export function constantText(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node?.type !== "TemplateLiteral") return undefined;
  const [quasi, ...otherQuasis] = childNodes(node, "quasis");
  const text = quasi?.["value"] as { cooked?: string | null | undefined } | undefined;
  return otherQuasis.length === 0 ? (text?.cooked ?? undefined) : undefined;
}

/** True for a name that says which member is meant: `a.NAME`, `{ NAME: 1 }`, `class { NAME() {} }`. It refers to no variable. */
export function isMemberName(parent: SyntaxParent | undefined): boolean {
  if (parent === undefined || parent.node["computed"] === true) return false;
  if (parent.node.type === "MemberExpression") return parent.member === "property";
  // The key of `{ name }` is the variable's own name; its value is visited as a reference.
  return parent.member === "key" && ["Property", "MethodDefinition", "PropertyDefinition"].includes(parent.node.type);
}

/** A part of a text, and what stands at its start once it is blanked; offsets in UTF-16 units. */
export interface TextSpan {
  start: number;
  end: number;
  kept?: string | undefined;
}

/** The text without these parts of it, which leave their line breaks behind. The parts are sorted and do not overlap. */
export function removeSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, (part) => part.replace(/[^\n]+/g, ""));
}

/** The text with spaces for these parts of it, so that everything else stays at its place. */
export function blankSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, (part, kept) => kept + part.slice(kept.length).replace(/[^\n]/g, " "));
}

function replaceSpans(
  text: string,
  spans: readonly TextSpan[],
  replace: (part: string, kept: string) => string,
): string {
  let printed = "";
  let at = 0;
  for (const { start, end, kept = "" } of spans) {
    printed += text.slice(at, start) + replace(text.slice(start, end), kept);
    at = end;
  }
  return printed + text.slice(at);
}

/**
 * The source of a pattern for what may stand between two tokens: white space and comments. No text fits it in two ways, so that matching
 * takes linear time, and a comment ends at its first end.
 */
export const TOKEN_SPACE = String.raw`(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//.*[\n\r\u2028\u2029])*`;
