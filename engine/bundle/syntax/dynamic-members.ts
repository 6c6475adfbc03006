import { childNode, childNodes, constantText, nameOf, type SyntaxNode } from "./syntax-tree.ts";

/**
 * The dynamic import in a node of which the node reads some members and no others, with their names: `const { a } = await import("…")`,
 * `(await import("…")).a` and `import("…").then(({ a }) => …)`. Undefined for other nodes.
 */
export function findDynamicMembers(node: SyntaxNode): { imported: SyntaxNode; members: string[] } | undefined {
  const [source, target] = sourceAndTarget(node);
  const members = source?.type === "ImportExpression" ? membersOf(target) : undefined;
  return source === undefined || members === undefined ? undefined : { imported: source, members };
}

/** What a module may come from, and what is read of it. */
function sourceAndTarget(node: SyntaxNode): [source: SyntaxNode | undefined, target: SyntaxNode | undefined] {
  if (node.type === "VariableDeclarator") return [awaited(childNode(node, "init")), childNode(node, "id")];
  if (node.type === "MemberExpression") return [awaited(childNode(node, "object")), node];
  const callee = node.type === "CallExpression" ? childNode(node, "callee") : undefined;
  if (callee?.type !== "MemberExpression" || staticMember(callee) !== "then") return [undefined, undefined];
  const [handler] = childNodes(node, "arguments");
  const isArrow = handler?.type === "ArrowFunctionExpression";
  return [childNode(callee, "object"), isArrow ? childNodes(handler, "params")[0] : undefined];
}

function awaited(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.type === "AwaitExpression" ? childNode(node, "argument") : undefined;
}

/** The members that a pattern or an expression takes; undefined where they are not known, or all are taken. */
function membersOf(target: SyntaxNode | undefined): string[] | undefined {
  if (target?.type === "MemberExpression") {
    const member = staticMember(target);
    return member === undefined ? undefined : [member];
  }
  if (target?.type !== "ObjectPattern") return undefined;
  const members = childNodes(target, "properties").map((property) =>
    property.type === "Property" ? staticName(childNode(property, "key"), property) : undefined,
  );
  const known = members.filter((member) => member !== undefined);
  return known.length === members.length ? known : undefined;
}

/** The member that `object.name` or `object["name"]` reads. */
export function staticMember(member: SyntaxNode): string | undefined {
  return staticName(childNode(member, "property"), member);
}

function staticName(key: SyntaxNode | undefined, { computed }: SyntaxNode): string | undefined {
  return computed === true ? constantText(key) : nameOf(key);
}
