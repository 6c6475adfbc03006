import type { SourceMap } from "magic-string";
import { lowerTaggedTemplate } from "./lower-tagged-template.ts";
import { findRefusedText, refusedWithin, toLiteralForm, toOperatorForm, type RefusedText } from "./refused-text.ts";
import { isMemberName, walkSyntax, type SyntaxNode, type SyntaxParent } from "./syntax-tree.ts";

/** Code that SES accepts, and how it maps to the code before. */
export interface EscapedCode {
  code: string;
  map: SourceMap;
}

/** Rewrites what SES would refuse, without a change of meaning. Undefined where nothing had to be rewritten. */
export async function escapeSesTokens(code: string): Promise<EscapedCode | undefined> {
  const found = findRefusedText(code);
  if (found.length === 0) return undefined;
  const [{ parse }, { default: MagicString }] = await Promise.all([import("acorn"), import("magic-string")]);
  const inComments = new Set<RefusedText>();
  const program = parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    onComment: (_isBlock, _text, start, end) => {
      for (const refused of refusedWithin(found, start, end)) inComments.add(refused);
    },
  });
  const holders = findHolders(program as unknown as SyntaxNode, found);
  const edited = new MagicString(code);
  const lowered = new Set<SyntaxNode>();
  for (const refused of found) {
    const holder = holders.get(refused);
    const tagged = holder?.taggedTemplate;
    if (inComments.has(refused)) {
      edited.overwrite(refused.start, refused.end, "_".repeat(refused.text.length));
    } else if (tagged === undefined) {
      const form = holder === undefined ? toOperatorForm(refused.text) : toHeldForm(refused.text, holder);
      edited.overwrite(refused.start, refused.end, form);
    } else if (!lowered.has(tagged)) {
      lowerTaggedTemplate(code, tagged, { count: lowered.size, constructed: holder?.constructed ?? false }, edited);
      lowered.add(tagged);
    }
  }
  return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }) };
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
    const taggedTemplate = taggedTemplates.get(parent?.node);
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
