interface Node {
  type: string;
  [member: string]: unknown;
}

/** The text that an expression of constants of its module is; undefined where it depends on anything else. */
export function evaluateText(expression: unknown, program: unknown): string | undefined {
  const node = expression as Node;
  const evaluate = (part: unknown): string | undefined => evaluateText(part, program);
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? node["value"] : undefined;
    case "TemplateLiteral":
      return joined(node, evaluate, "cooked");
    case "TaggedTemplateExpression": {
      const { object, property } = node["tag"] as { object?: Node; property?: Node };
      const isRaw = object?.["name"] === "String" && property?.["name"] === "raw";
      return isRaw ? joined(node["quasi"] as Node, evaluate, "raw") : undefined;
    }
    case "BinaryExpression": {
      const [left, right] = [evaluate(node["left"]), evaluate(node["right"])];
      return node["operator"] === "+" && left !== undefined && right !== undefined ? left + right : undefined;
    }
    case "CallExpression":
      return joinedList(node, evaluate);
    case "Identifier": {
      const constant = findConstant(node["name"] as string, program as Node);
      return constant && evaluate(constant);
    }
    default:
      return undefined;
  }
}

function joined(
  template: Node,
  evaluate: (part: unknown) => string | undefined,
  form: "cooked" | "raw",
): string | undefined {
  const { quasis, expressions } = template as unknown as {
    quasis: { value: Record<string, string> }[];
    expressions: Node[];
  };
  const values = expressions.map(evaluate);
  if (values.includes(undefined)) return undefined;
  return quasis.map(({ value }, index) => `${value[form]}${values[index] ?? ""}`).join("");
}

/** Of `["a", "b"].join("|")`. */
function joinedList(call: Node, evaluate: (part: unknown) => string | undefined): string | undefined {
  const { object, property } = call["callee"] as { object?: Node; property?: Node };
  if (object?.type !== "ArrayExpression" || property?.["name"] !== "join") return undefined;
  const parts = (object["elements"] as Node[]).map(evaluate);
  const [separator] = (call["arguments"] as Node[]).map(evaluate);
  return parts.includes(undefined) || separator === undefined ? undefined : parts.join(separator);
}

function findConstant(name: string, program: Node): Node | undefined {
  const statements = (program["body"] as Node[]).map(
    (statement) => (statement["declaration"] as Node | null | undefined) ?? statement,
  );
  const declared = statements.flatMap((statement) =>
    statement.type === "VariableDeclaration" && statement["kind"] === "const"
      ? (statement["declarations"] as Node[])
      : [],
  );
  return declared.find(({ id }) => (id as Node)["name"] === name)?.["init"] as Node | undefined;
}
