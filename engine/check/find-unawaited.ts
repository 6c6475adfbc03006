import type { Finding } from "./finding.ts";
import { elementType, isPromise } from "./type-questions.ts";
import { ts } from "./typescript.ts";

/** Methods of arrays that do not wait for what their callback returns. */
const FAST_SHUTDOWN = new Map([
  ["forEach", "Write `for (const item of items) { await … }`, or `await Promise.all(items.map(async (item) => …))`."],
  ...["filter", "some", "every", "find", "findIndex", "findLast"].map(
    (name) =>
      [name, "A promise is always true there: get all answers first, with `await Promise.all(items.map(…))`."] as const,
  ),
]);

/** Functions that take any value and make nothing useful of a promise. */
const TAKERS = /^(?:JSON\.stringify|String|Number|console\.\w+)$/;

/** Unawaited promises that the types alone permit. */
export function findUnawaited(file: ts.SourceFile, checker: ts.TypeChecker): Finding[] {
  const findings: Finding[] = [];

  const add = (node: ts.Node, message: string, hint: string): void => {
    findings.push({ start: node.getStart(file), severity: "warning", message, hint });
  };
  const inspectUse = (value: ts.Expression): void => {
    if (!isPromise(checker.getTypeAtLocation(value), checker)) return;
    add(
      value,
      "This is a promise, not the value that it will give.",
      `Put \`await\` before it: \`await ${shorten(value)}\`.`,
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node)) inspectStatement(node.expression, checker, add);
    if (ts.isTemplateSpan(node)) inspectUse(node.expression);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      inspectUse(node.left);
      inspectUse(node.right);
    }
    if (ts.isCallExpression(node)) {
      if (TAKERS.test(node.expression.getText(file))) for (const value of node.arguments) inspectUse(value);
      inspectCallback(node, checker, add);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;

  function shorten(value: ts.Expression): string {
    const text = value.getText(file);
    return text.length > 60 || text.includes("\n") ? "…" : text;
  }
}

type Add = (node: ts.Node, message: string, hint: string) => void;

/** A statement that starts something and goes on. */
function inspectStatement(expression: ts.Expression, checker: ts.TypeChecker, add: Add): void {
  if (!ts.isCallExpression(expression)) return;
  const type = checker.getTypeAtLocation(expression);
  const element = elementType(type, checker);
  if (isPromise(type, checker)) {
    add(
      expression,
      "This call is not awaited: the script continues, and an error of the call is lost.",
      "Put `await` before it.",
    );
  } else if (element !== undefined && isPromise(element, checker)) {
    add(expression, "These promises are not awaited.", "Write `await Promise.all(…)` around it.");
  }
}

/** `list.forEach(async …)` and the like. */
function inspectCallback(
  { expression, arguments: [callback] }: ts.CallExpression,
  checker: ts.TypeChecker,
  add: Add,
): void {
  if (!ts.isPropertyAccessExpression(expression) || callback === undefined) return;
  const hint = FAST_SHUTDOWN.get(expression.name.text);
  if (hint === undefined || !checker.isArrayLikeType(checker.getTypeAtLocation(expression.expression))) return;
  const [signature] = checker.getTypeAtLocation(callback).getCallSignatures();
  if (signature === undefined || !isPromise(signature.getReturnType(), checker)) return;
  add(expression.name, `\`${expression.name.text}\` does not wait for an async function.`, hint);
}
