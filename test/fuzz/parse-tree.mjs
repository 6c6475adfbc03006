import { parse } from "acorn";

/**
 * The parts of a module that mutations work on, or undefined for a text that is no JavaScript.
 * A node is an ESTree node; `list` says which list of statements a statement stands in.
 */
export function parseTree(code) {
  let program;
  try {
    program = parse(code, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
  } catch {
    return undefined;
  }
  const tree = { code, program, statements: [], expressions: [], identifiers: [], functions: [], variables: [] };
  walk(program, undefined, undefined, (node, parent, key) => {
    if (/Statement$|Declaration$/.test(node.type) && node.type !== "VariableDeclaration") tree.statements.push(node);
    if (node.type === "VariableDeclaration") {
      tree.variables.push(node);
      if (!parent.type.startsWith("For")) tree.statements.push(node);
    }
    if (isExpression(node, parent, key)) tree.expressions.push(node);
    if (node.type === "Identifier") tree.identifiers.push(node);
    if (/Function/.test(node.type)) tree.functions.push(node);
  });
  return tree;
}

const NO_EXPRESSION =
  /Statement$|Declaration$|Declarator$|Specifier$|Pattern$|^(Program|Property|SpreadElement|RestElement|Super|TemplateElement|SwitchCase|CatchClause|ClassBody|MethodDefinition|PropertyDefinition|PrivateIdentifier|StaticBlock|ImportAttribute)$/;

function isExpression(node, parent, key) {
  if (NO_EXPRESSION.test(node.type)) return false;
  if (node.type === "Identifier") {
    if (/Specifier$|Pattern$|Function|Class|Label|Break|Continue|Catch|Meta|Attribute/.test(parent.type)) return false;
    if (parent.type === "VariableDeclarator" && key === "id") return false;
    if (key === "property" && !parent.computed) return false;
    if (key === "key") return false;
  }
  return !(/^(Import|Export(Named|All))/.test(parent?.type ?? "") && key !== "declaration");
}

function walk(node, parent, key, visit) {
  visit(node, parent, key);
  for (const member of Object.keys(node)) {
    const value = node[member];
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string" && typeof child.start === "number") walk(child, node, member, visit);
    }
  }
}
