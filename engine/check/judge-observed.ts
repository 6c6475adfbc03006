import type { Finding } from "./finding.ts";
import { findOwner, MISSPELLED } from "./hints/hint-for-property.ts";
import type { HintContext } from "./hints/hint-context.ts";
import { isMisspelling } from "./is-misspelling.ts";
import { ts } from "./typescript.ts";

/**
 * What an error is where it rests on observed results alone; undefined where it is no mistake then.
 *
 * Only a field that is sure to be misspelt is an error: a server may return what was not seen yet, and a script that ran must go on running.
 * @param hint what is said of the error
 */
export function judgeObserved(context: HintContext, hint: string): Finding["severity"] | undefined {
  const field = findOwner(context);
  if (field === undefined) return "warning";
  const { type, name } = field;
  const { checker } = context;
  // A branch for results that were not seen.
  if (type.flags & ts.TypeFlags.Never) return undefined;
  const isInSome = type.isUnion() && type.types.some((part) => checker.getPropertyOfType(part, name) !== undefined);
  if (isInSome) return "info";
  const nearest = new RegExp(`^${MISSPELLED} \`(.+?)\``).exec(hint)?.[1];
  if (nearest === undefined || !isMisspelling(name, nearest)) return "warning";
  return isInText(name, context.file) || isAlternative(context.node, nearest) ? "warning" : "error";
}

/** The script writes the name in a text: the column of a query, for instance. */
function isInText(name: string, file: ts.SourceFile): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  const isThere = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) ? word.test(node.text) : false) ||
    (ts.forEachChild(node, (child) => isThere(child) || undefined) ?? false);
  return isThere(file);
}

/** `value.label ?? value.labels`: the script takes whichever is there. */
function isAlternative(node: ts.Node, nearest: string): boolean {
  const isChoice = ({ kind }: ts.Node): boolean =>
    kind === ts.SyntaxKind.BinaryExpression ||
    kind === ts.SyntaxKind.ParenthesizedExpression ||
    kind === ts.SyntaxKind.ConditionalExpression ||
    kind === ts.SyntaxKind.PropertyAccessExpression ||
    kind === ts.SyntaxKind.ElementAccessExpression;
  let top = node;
  while (isChoice(top.parent)) top = top.parent;
  const reads = (child: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(child) && child.name.text === nearest) ||
    (ts.forEachChild(child, (one) => reads(one) || undefined) ?? false);
  return reads(top);
}
