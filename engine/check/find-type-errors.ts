import type { Diagnostic } from "../../schemas/run/answer.ts";
import { formatPath, positionAt } from "../bundle/syntax/source-position.ts";
import type { AuthorFile } from "./author-files.ts";
import type { CheckRequest } from "./check-request.ts";
import { findCodeBehind } from "./code-behind.ts";
import {
  findChangedNumbers,
  findNearKeys,
  findSentPromises,
  findUnawaited,
  type LikelyMistake,
} from "./find-likely-mistakes.ts";
import type { HintContext } from "./hints/hint-context.ts";
import { hintFor } from "./hints/hint-for.ts";
import { nodeAt, nodesIn } from "./type-questions.ts";
import { isLeftToBundler, isOfUnknownCall, isStyle } from "./error-codes.ts";
import { ts } from "./typescript.ts";
import { findOwner, MISSPELLED } from "./hints/hint-for-property.ts";

/** More would not be read. */
const MOST_FINDINGS = 12;

/** A finding in one of the author's files. */
export interface PlacedFinding extends LikelyMistake {
  file: AuthorFile;
}

/** The type errors of the author's files that can have to do with a failure, in the order of the source; without one, all of them. */
export function findTypeErrors(
  service: ts.LanguageService,
  authored: ReadonlyMap<string, AuthorFile>,
  { exportNames, failedAt }: Pick<CheckRequest, "exportNames" | "failedAt">,
): PlacedFinding[] {
  const sources = [...authored].filter(([path]) => !path.endsWith(".json"));
  // The bundler has a syntax error to tell; what the checker makes of the rest would only be noise.
  if (sources.some(([path]) => service.getSyntacticDiagnostics(path).length > 0)) return [];
  const program = service.getProgram();
  if (program === undefined) return [];
  const checker = program.getTypeChecker();
  const files = new Map(
    sources.flatMap(([path, { name }]) => {
      const file = program.getSourceFile(path);
      return file === undefined ? [] : [[name, file] as const];
    }),
  );
  const isRelated = failedAt === undefined ? () => true : findCodeBehind(failedAt, files, checker);
  return sources.flatMap(([path, author]) => {
    const file = files.get(author.name);
    if (file === undefined) return [];
    const errors = service
      .getSemanticDiagnostics(path)
      .map((error) => toFinding(error, { file, checker, exportNames }))
      .filter((finding) => finding !== undefined);
    const own = [
      ...findNearKeys(file, checker),
      ...findUnawaited(file, checker),
      ...findSentPromises(file, checker, (from, to) => errors.some(({ start }) => from <= start && start < to)),
      ...findChangedNumbers(file),
    ];
    const places = new Set(errors.map(({ start }) => start));
    return [...errors, ...own.filter(({ start }) => !places.has(start))]
      .filter(({ start }) => isRelated(file, start))
      .toSorted((left, right) => left.start - right.start)
      .map((finding) => ({ ...finding, file: author }));
  });
}

function toFinding(error: ts.Diagnostic, scope: Omit<HintContext, "node">): LikelyMistake | undefined {
  const { start = 0, length = 0, code } = error;
  const node = nodeAt(scope.file, start, length);
  if (isLeftToBundler(code, node, scope.checker) || isOfUnknownCall(code, node, scope.checker)) return undefined;
  const context = { ...scope, node };
  const hint = hintFor(code, context);
  return {
    start,
    severity: isStyle(code, node, scope.checker) ? "info" : "error",
    message: toPlainMessage(error.messageText),
    hint,
    ifObserved: judgeObserved(context, hint),
  };
}

/** The findings for the answer; of very many the first. */
export function toDiagnostics(findings: readonly PlacedFinding[]): Diagnostic[] {
  return findings
    .slice(0, MOST_FINDINGS)
    .map(({ severity, code = "TYPE_ERROR", message, hint, start, file: { name, text } }) => {
      return { severity, code, message, hint, path: formatPath(name, positionAt(text, start)) };
    });
}

const MAX_LENGTH = 400;

/** Parts of TypeScript's messages that are no help in a sandbox. */
const NOISE = / (?:Do you need to (?:install|change)|Try `npm i|Consider using the 'skipLib).*$/s;

/** TypeScript's message on one line: what is wrong, and the innermost reason of it. */
function toPlainMessage(message: string | ts.DiagnosticMessageChain): string {
  const head = clean(typeof message === "string" ? message : message.messageText);
  const leaf = clean(innermost(message));
  const text = leaf === head ? head : `${head} ${leaf}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function innermost(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === "string") return message;
  // Of overloads the last one takes most.
  const next = message.next?.at(-1);
  return next === undefined ? message.messageText : innermost(next);
}

/** Modules are called by the names that scripts import; of a type its own name is enough. */
function clean(text: string): string {
  return text
    .replace(NOISE, "")
    .replaceAll("[k: string]: unknown; ", "")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/import\("\/(@codemode\/(?:servers\/)?[^"/]+)(?:\/[^"]*)?"\)/g, 'import("$1")')
    .replaceAll('import("/script/', 'import("./')
    .replace(/\s+/g, " ");
}

/**
 * What an error is where it rests on observed results alone; undefined where it is no mistake then.
 *
 * Only a field that is sure to be misspelt is an error: a server may return what was not seen yet, and a script that ran must go on running.
 * @param hint what is said of the error
 */
function judgeObserved(context: HintContext, hint: string): LikelyMistake["severity"] | undefined {
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
