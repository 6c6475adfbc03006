import { nearestName } from "@codemode/runtime/nearest-name";
import { quote } from "../bundle/syntax/quote.ts";
import type { Finding } from "./finding.ts";
import { declaredProperties, elementType, isOptional, toolNameOf } from "./type-questions.ts";
import { ts } from "./typescript.ts";

/**
 * Misspelt optional arguments. Most servers take any further property, and so do the types and validators of their tools: such a
 * key would be passed on in silence, and the argument that was meant keeps its default.
 */
export function findNearKeys(file: ts.SourceFile, checker: ts.TypeChecker): Finding[] {
  const findings: Finding[] = [];

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

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const toolName = toolNameOf(node, checker);
      const [input] = node.arguments;
      const parameter = checker.getResolvedSignature(node)?.parameters[0];
      if (toolName !== undefined && input !== undefined && parameter !== undefined) {
        inspect(input, checker.getTypeOfSymbol(parameter), toolName);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

interface WrittenKey {
  key: string;
  name: ts.Node;
  initializer?: ts.Expression | undefined;
}

function writtenKey(member: ts.ObjectLiteralElementLike): WrittenKey | undefined {
  const { name } = member;
  if (name === undefined || ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name)) return undefined;
  return { key: name.text, name, initializer: ts.isPropertyAssignment(member) ? member.initializer : undefined };
}
