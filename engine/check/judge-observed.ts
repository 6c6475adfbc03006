import type { Finding } from "./find-likely-mistakes.ts";
import { findOwner, MISSPELLED } from "./hints/hint-for-property.ts";
import type { HintContext } from "./hints/hint-context.ts";
import { ts } from "./typescript.ts";
import { nodesIn } from "./type-questions.ts";

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
  return nodesIn(file).some(
    (node) => (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && word.test(node.text),
  );
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
  return nodesIn(top).some((child) => ts.isPropertyAccessExpression(child) && child.name.text === nearest);
}

/**
 * Whether one name is the other with one slip of the keyboard: two letters swapped, or in one word a letter left out, added or replaced. Names
 * that differ by more, or in short words such as `at` and `by`, may well both exist.
 */
export function isMisspelling(written: string, known: string): boolean {
  const [left, right] = [wordsOf(written), wordsOf(known)];
  const slip = findSlip(left.join(""), right.join(""));
  if (slip === "none" || slip === "swap") return true;
  const slips = left.map((word, index) => findSlip(word, right[index] ?? "")).filter((kind) => kind !== "none");
  return left.length === right.length && slips.length === 1 && slips[0] !== undefined;
}

/** `readFile` and `read_file` have the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

const SHORTEST_WITH_ONE_MORE = 4;
/** `date` and `data` are both names. */
const SHORTEST_WITH_ANOTHER = 5;

/** How the words differ; undefined where they are two words. */
function findSlip(written: string, known: string): "none" | "swap" | "letter" | undefined {
  if (written === known) return "none";
  const shortest = Math.min(written.length, known.length);
  let start = 0;
  while (start < shortest && written[start] === known[start]) start += 1;
  let end = 0;
  while (end < shortest - start && written.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [left, right] = [written.slice(start, written.length - end), known.slice(start, known.length - end)];
  // `part1` and `part2` are two names.
  if (/\d/.test(left + right)) return undefined;
  if (left.length === 2 && right === `${left.charAt(1)}${left.charAt(0)}`) return "swap";
  if (left.length > 1 || right.length > 1) return undefined;
  if (left !== "" && right !== "") return shortest >= SHORTEST_WITH_ANOTHER ? "letter" : undefined;
  const isDoubled = (left || right) === known[start - 1];
  return isDoubled || shortest >= SHORTEST_WITH_ONE_MORE ? "letter" : undefined;
}
