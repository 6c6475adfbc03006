import type { MagicString, SourceMap } from "magic-string";
import type { PlacedLine } from "./wrap-program.ts";
import {
  findRefusedText,
  refusedWithin,
  toLiteralForm,
  toOperatorForm,
  type RefusedText,
  printString,
} from "./refused-text.ts";
import {
  isMemberName,
  walkSyntax,
  type SyntaxNode,
  type SyntaxParent,
  toSyntax,
  childNode,
  childNodes,
} from "../syntax/syntax-tree.ts";

/** Code that SES accepts, and how it maps to the code before. */
export interface EscapedCode {
  code: string;
  map: SourceMap;
  /** Declarations that the code refers to, a line each. They stand outside of it, so that no variable of its own gets in their way. */
  constants: string[];
}

/**
 * Rewrites what SES would refuse, without a change of meaning. Undefined where nothing had to be rewritten.
 *
 * @param prefix what the names of the constants begin with
 */
export async function escapeSesTokens(code: string, prefix = "lowered"): Promise<EscapedCode | undefined> {
  const found = findRefusedText(code);
  if (found.length === 0) return undefined;
  const [{ parse }, magicString] = await Promise.all([import("acorn"), import("magic-string")]);
  const inComments = new Set<RefusedText>();
  const program = parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    onComment: (_isBlock, _text, start, end) => {
      for (const refused of refusedWithin(found, start, end)) inComments.add(refused);
    },
  });
  const holders = findHolders(toSyntax(program), found);
  const edited = new magicString.default(code);
  const lowered = new Set<SyntaxNode>();
  const constants: string[] = [];
  for (const refused of found) {
    const holder = holders.get(refused);
    const tagged = holder?.taggedTemplate;
    const isWhole = tagged !== undefined || isRegExp(holder?.node);
    if (inComments.has(refused)) {
      edited.overwrite(refused.start, refused.end, "_".repeat(refused.text.length));
    } else if (!isWhole) {
      const form = holder === undefined ? toOperatorForm(refused.text) : toHeldForm(refused.text, holder);
      edited.overwrite(refused.start, refused.end, form);
    } else {
      const node = (tagged ?? holder?.node) as SyntaxNode;
      if (lowered.has(node)) continue;
      const name = unusedName(code, `${prefix}_${lowered.size}`);
      constants.push(
        tagged === undefined
          ? lowerRegExp(node, name, edited)
          : lowerTaggedTemplate(node, { name, constructed: holder?.constructed ?? false }, edited),
      );
      lowered.add(node);
    }
  }
  return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }), constants };
}

/** The same for lines of generated code, whose number stays. */
export async function escapeLines(lines: PlacedLine[]): Promise<PlacedLine[]> {
  const escaped = await escapeSesTokens(lines.map(({ text }) => text).join("\n"), "linked");
  if (escaped === undefined) return lines;
  const texts = escaped.code.split("\n");
  const declared = escaped.constants.map((text) => ({ text }));
  return [...declared, ...lines.map((line, index) => ({ ...line, text: texts[index] ?? "" }))];
}

/** A name that the code does not have. */
export function unusedName(code: string, base: string): string {
  let name = base;
  while (code.includes(name)) name = `_${name}`;
  return name;
}

/** The literal or name that a refused text is part of. */
interface Holder {
  node: SyntaxNode;
  parent: SyntaxParent | undefined;
  taggedTemplate: SyntaxNode | undefined;
  /** True in `` new tag`…`() ``, where a plain call would become the call of `new`. */
  constructed: boolean;
}

const HOLDER_TYPES = new Set(["Literal", "TemplateElement", "Identifier", "PrivateIdentifier"]);

/** Operators and `import(…)` itself have no holder. */
function findHolders(program: SyntaxNode, found: readonly RefusedText[]): Map<RefusedText, Holder> {
  const holders = new Map<RefusedText, Holder>();
  const taggedTemplates = new Map<unknown, SyntaxNode>();
  const constructed = new Set<unknown>();
  walkSyntax(program, (node, parent) => {
    const inside = refusedWithin(found, node.start, node.end);
    if (inside.length === 0) return false;
    if (node.type === "NewExpression") constructed.add(node["callee"]);
    if (node.type === "MemberExpression" && constructed.has(node)) constructed.add(node["object"]);
    if (node.type === "TaggedTemplateExpression") {
      if (constructed.has(node)) constructed.add(node["tag"]);
      taggedTemplates.set(node["quasi"], node);
    }
    if (!HOLDER_TYPES.has(node.type)) return true;
    // A literal in a hole of the template is no part of its text.
    const taggedTemplate = node.type === "TemplateElement" ? taggedTemplates.get(parent?.node) : undefined;
    for (const refused of inside) {
      holders.set(refused, { node, parent, taggedTemplate, constructed: constructed.has(taggedTemplate) });
    }
    return false;
  });
  return holders;
}

function toHeldForm(text: string, { node, parent }: Holder): string {
  if (node.type === "Literal" || node.type === "TemplateElement") return toLiteralForm(text);
  // The sandbox has no `eval`: this form fails like the call of any missing function, and never is a direct eval.
  if (node.type === "Identifier" && node["name"] === "eval" && !isMemberName(parent)) return "globalThis.eval";
  return text === "import" ? "\\u0069mport" : "\\u0065val";
}

/** True for the literal of a regular expression. */
function isRegExp(node: SyntaxNode | undefined): boolean {
  return node?.type === "Literal" && node["regex"] !== undefined;
}

/**
 * Rewrites the literal of a regular expression as the call of a function that makes it. An escape in the literal would show in its
 * `source`; in a string it does not.
 *
 * @returns the declaration of the function
 */
function lowerRegExp(literal: SyntaxNode, name: string, edited: MagicString): string {
  const { pattern, flags } = literal["regex"] as { pattern: string; flags: string };
  edited.overwrite(literal.start, literal.end, `(${name}())`);
  return `const ${name} = () => new RegExp(${printString(pattern)}, ${JSON.stringify(flags)});`;
}

/**
 * Rewrites a tagged template as the call that it is. A tag sees the raw text of its template, so an escape in that text
 * would show; in a call, cooked and raw texts are ordinary strings.
 *
 * @returns the declaration of the template's object: one for each place in the code, as the language has it
 */
function lowerTaggedTemplate(
  tagged: SyntaxNode,
  { name, constructed }: { name: string; constructed: boolean },
  edited: MagicString,
): string {
  const template = childNode(tagged, "quasi") as SyntaxNode;
  const quasis = childNodes(template, "quasis");
  if (constructed) edited.appendLeft(tagged.start, "(");
  quasis.forEach((quasi, index) => {
    const opening = index === 0 ? `(${name}` : ")";
    const isLast = index === quasis.length - 1;
    // Either the closing backquote, or `${` before the next hole.
    const end = isLast ? template.end : quasi.end + 2;
    edited.overwrite(quasi.start - 1, end, opening + (isLast ? ")" : ", ("));
  });
  if (constructed) edited.appendRight(tagged.end, ")");
  return `const ${name} = ${printTemplateObject(quasis.map((quasi) => quasi["value"] as TemplateText))};`;
}

interface TemplateText {
  /** Absent where the text holds an escape that means nothing, which a tag may see. */
  cooked?: string | null | undefined;
  raw: string;
}

function printTemplateObject(texts: readonly TemplateText[]): string {
  const cooked = texts.map((text) => (typeof text.cooked === "string" ? printString(text.cooked) : "undefined"));
  const raw = texts.map((text) => printString(text.raw));
  const freeze = "Object.freeze";
  return `${freeze}(Object.defineProperty([${cooked.join(", ")}], "raw", { value: ${freeze}([${raw.join(", ")}]) }))`;
}
