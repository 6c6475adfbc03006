import { toolNameOf, elementType } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { type HintContext, snippetOf, operandOf, describeType } from "./hint-context.ts";

/** A value of which nothing is known: most often what a tool without an output schema returned. */
export function hintForUnknown(context: HintContext): string {
  return hintForUnknownValue(context.node, context);
}

export function hintForUnknownValue(node: ts.Node, context: HintContext): string {
  const text = snippetOf(node, context);
  const toolName = toolBehind(node, context);
  if (toolName === undefined) {
    return `Check it first (\`typeof ${text} === "string"\`, \`Array.isArray(${text})\`), or assert its type: \`${text} as { name: string }\`.`;
  }
  return (
    `What \`${toolName}\` returns is not known: a single text arrives as a string, anything else as the whole MCP result. ` +
    `Use it as text with \`String(${text})\`, parse it as JSON with \`JSON.parse(String(${text}))\`, or assert its type: \`${text} as { … }\`.`
  );
}

/** The tool whose awaited answer a value is. */
function toolBehind(node: ts.Node, { checker }: HintContext): string | undefined {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node))
    return toolBehind(node.expression, { checker } as HintContext);
  if (ts.isCallExpression(node)) return toolNameOf(node, checker);
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const { initializer } = declaration;
  return initializer === undefined || ts.isIdentifier(initializer)
    ? undefined
    : toolBehind(initializer, { checker } as HintContext);
}

/** A value that may be `null` or `undefined` where one is needed. */
export function hintForNullish(context: HintContext): string {
  const { node } = context;
  const text = snippetOf(node, context);
  const { parent } = node;
  const operand = ts.isExpression(node) ? operandOf(node, context) : text;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    return `Write \`${operand}?.${parent.name.text}\`, or check first: \`if (${text} != null) { … }\`.`;
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === node) {
    return `Write \`${operand}?.[${snippetOf(parent.argumentExpression, context)}]\`, or check first: \`if (${text} != null) { … }\`.`;
  }
  return `Check first: \`if (${text} != null) { … }\`, or give a default: \`${text} ?? …\`.`;
}

/** What stands in for a missing value of a type, in code. */
export function defaultFor(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.flags & ts.TypeFlags.StringLike && !type.isUnion()) return '""';
  if (type.flags & ts.TypeFlags.NumberLike && !type.isUnion()) return "0";
  if (type.flags & ts.TypeFlags.BooleanLike) return "false";
  if (elementType(type, checker) !== undefined) return "[]";
  return describeType(type, checker, 0).split(" | ")[0] ?? "…";
}
