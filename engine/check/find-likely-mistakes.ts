import { isChanged } from "../../schemas/json/changed-number.ts";
import type { DiagnosticCode } from "../../schemas/run/answer.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { quote } from "../bundle/modules/import-problem.ts";
import { declaredProperties, elementType, isOptional, toolNameOf, isPromise, nodesIn } from "./type-questions.ts";
import { ts } from "./typescript.ts";

/**
 * Misspelt optional arguments. Most servers take any further property, like the types and validators of their tools: such a
 * key would be passed on in silence, and the argument that was meant keeps its default.
 */
export function findNearKeys(file: ts.SourceFile, checker: ts.TypeChecker): LikelyMistake[] {
  const findings: LikelyMistake[] = [];

  const inspect = (value: ts.Expression, type: ts.Type, toolName: string): void => {
    const target = checker.getNonNullableType(type);
    if (ts.isArrayLiteralExpression(value)) {
      const element = elementType(target, checker);
      if (element !== undefined) for (const item of value.elements) inspect(item, element, toolName);
    }
    if (!ts.isObjectLiteralExpression(value)) return;
    const declared = declaredProperties(target, checker);
    const written = value.properties.flatMap((member) => writtenKey(member) ?? []);
    const free = [...declared.keys()].filter((name) => !written.some(({ key }) => key === name));
    for (const { key, name, initializer } of written) {
      const property = declared.get(key);
      if (property !== undefined) {
        if (initializer !== undefined) inspect(initializer, checker.getTypeOfSymbol(property), toolName);
        continue;
      }
      const nearest = nearestName(key, free);
      // A required one that is missing is an error of its own.
      if (nearest === undefined || !isOptional(declared.get(nearest))) continue;
      findings.push({
        start: name.getStart(file),
        severity: "warning",
        message: `The tool \`${toolName}\` does not declare ${quote(key)}: it is passed on and probably ignored.`,
        hint: `Write \`${nearest}\` instead of \`${key}\`.`,
      });
    }
  };

  for (const call of nodesIn(file).filter(ts.isCallExpression)) {
    const toolName = toolNameOf(call, checker);
    const [input] = call.arguments;
    const parameter = checker.getResolvedSignature(call)?.parameters[0];
    if (toolName !== undefined && input !== undefined && parameter !== undefined) {
      inspect(input, checker.getTypeOfSymbol(parameter), toolName);
    }
  }
  return findings;
}

function writtenKey(member: ts.ObjectLiteralElementLike) {
  const { name } = member;
  if (name === undefined || ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name)) return undefined;
  return { key: name.text, name, initializer: ts.isPropertyAssignment(member) ? member.initializer : undefined };
}

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

/**
 * Promises of tools within the arguments of another one: servers get no promises, and a declared type of any value permits them.
 * @param isWrong whether the compiler complains within a part of the file
 */
export function findSentPromises(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  isWrong: (start: number, end: number) => boolean,
): LikelyMistake[] {
  const findings: LikelyMistake[] = [];
  const inspect = (value: ts.Expression): void => {
    if (ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value) || ts.isAsExpression(value))
      return inspect(value.expression);
    if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].forEach(inspect);
    if (ts.isArrayLiteralExpression(value)) return value.elements.forEach(inspect);
    if (ts.isSpreadElement(value)) return inspectSpread(value.expression);
    if (ts.isObjectLiteralExpression(value)) return value.properties.forEach(inspectMember);
    const type = checker.getTypeAtLocation(value);
    const element = elementType(type, checker);
    if (isPromise(type, checker))
      add(value, "This is a promise, which cannot be sent to a tool.", "Put `await` before it.");
    else if (element !== undefined && isPromise(element, checker))
      add(value, "These are promises, which cannot be sent to a tool.", "Write `await Promise.all(…)` around them.");
    else if (ts.isIdentifier(value)) inspectProperties(value, type);
  };
  const inspectMember = (member: ts.ObjectLiteralElementLike): void => {
    if (isWrong(member.getStart(file), member.getEnd())) return;
    if (ts.isPropertyAssignment(member)) inspect(member.initializer);
    if (ts.isShorthandPropertyAssignment(member)) inspect(member.name);
    if (ts.isSpreadAssignment(member)) inspect(member.expression);
  };
  const inspectSpread = (list: ts.Expression): void => {
    if (ts.isArrayLiteralExpression(list)) list.elements.forEach(inspect);
    else inspect(list);
  };
  /** An object that was made before the call. */
  const inspectProperties = (value: ts.Expression, type: ts.Type): void => {
    const found = [...declaredProperties(type, checker)].find(([, symbol]) =>
      isPromise(checker.getTypeOfSymbolAtLocation(symbol, value), checker),
    );
    if (found === undefined) return;
    add(
      value,
      `${quote(found[0])} in it is a promise, which cannot be sent to a tool.`,
      "Put `await` before it where it is made.",
    );
  };
  const add = (value: ts.Expression, message: string, hint: string): void => {
    findings.push({ start: value.getStart(file), severity: "error", code: "MISSING_AWAIT", message, hint });
  };
  for (const call of nodesIn(file).filter(ts.isCallExpression))
    if (toolNameOf(call, checker) !== undefined) call.arguments.forEach(inspect);
  return findings;
}

/** Integers that the script writes and JavaScript does not have: what is sent is another one. */
export function findChangedNumbers(file: ts.SourceFile): LikelyMistake[] {
  return nodesIn(file)
    .filter(ts.isNumericLiteral)
    .flatMap((literal) => {
      const written = literal.getText(file).replaceAll("_", "");
      if (!isChanged(/^0[xob]/i.test(written) ? String(BigInt(written)) : written)) return [];
      const message = `The number ${written} is ${Number(written)} in JavaScript, which has no integers of this size.`;
      const hint = "Write it as text, where the tool takes one, or in BigInt for arithmetic.";
      return [
        { start: literal.getStart(file), severity: "error" as const, code: "NUMBER_CHANGED" as const, message, hint },
      ];
    });
}

/** Unawaited promises that the types alone permit. */
export function findUnawaited(file: ts.SourceFile, checker: ts.TypeChecker): LikelyMistake[] {
  const findings: LikelyMistake[] = [];

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
  for (const node of nodesIn(file)) {
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
  }
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

/** Something about the types of a module, at an offset of its text. */
export interface LikelyMistake {
  start: number;
  /** An error is sure to be a mistake; a warning runs, but likely not as it was meant; an info is a matter of style. */
  severity: "error" | "warning" | "info";
  message: string;
  hint: string;
  /** `TYPE_ERROR` where it is not given. */
  code?: DiagnosticCode | undefined;
  /** What an error is if it rests on observed results alone; undefined where it is no mistake then. */
  ifObserved?: LikelyMistake["severity"] | undefined;
}
