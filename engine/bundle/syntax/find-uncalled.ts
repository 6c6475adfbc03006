import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { toDiagnostic } from "../modules/import-problem.ts";
import { hasDefaultExport } from "./exported-names.ts";
import { pathInModule, type WrittenModule } from "./source-position.ts";
import { childNode, childNodes, constantText, nameOf, type SyntaxNode, walkSyntax } from "./syntax-tree.ts";

/** The place and the name of a function; one that is an expression by itself has no name. */
interface WrittenFunction {
  start: number;
  name: string | undefined;
}

/**
 * Warns of a script that is made of functions and calls none: other systems run such a function themselves. A file that exports its functions is there
 * for other scripts.
 */
export async function warnOfUncalled(
  module: WrittenModule & { program?: SyntaxNode | undefined },
): Promise<Diagnostic[]> {
  const { program } = module;
  const found = program === undefined || hasDefaultExport(program) ? undefined : findUncalled(program);
  if (found === undefined) return [];
  const { name, start } = found;
  const call = name === undefined ? "(async () => { … })()" : `${name}()`;
  const problem = {
    code: "RESULT_MISSING",
    message: `The script does nothing: ${name === undefined ? "its function" : `\`${name}\``} is never called.`,
    hint: `A script runs from its first line to its last. Write the statements without a function, or \`export default await ${call}\`.`,
  } as const;
  return [{ ...toDiagnostic(problem, await pathInModule(module, start)), severity: "warning" }];
}

/** The last function of a script whose statements only declare. */
function findUncalled(program: SyntaxNode): WrittenFunction | undefined {
  let last: WrittenFunction | undefined;
  for (const statement of childNodes(program, "body")) {
    const found = functionsIn(statement);
    if (found === undefined) return undefined;
    last = found.at(-1) ?? last;
  }
  return last;
}

/** The functions that a statement writes down, where that is all it does; undefined for a statement that does something, or exports a function. */
function functionsIn(statement: SyntaxNode): WrittenFunction[] | undefined {
  switch (statement.type) {
    case "ImportDeclaration":
      // A module of the author's may do something as it is imported.
      return constantText(childNode(statement, "source"))?.startsWith("@codemode/") === true ? [] : undefined;
    case "FunctionDeclaration":
      return [{ start: statement.start, name: nameOf(childNode(statement, "id")) }];
    case "ExpressionStatement":
      return isInert(statement)
        ? functionOf(childNode(statement, "expression"), statement.start, undefined)
        : undefined;
    case "VariableDeclaration":
      return isInert(statement) ? childNodes(statement, "declarations").flatMap(functionInDeclarator) : undefined;
    case "ExportNamedDeclaration": {
      const declaration = childNode(statement, "declaration");
      const found = declaration === undefined ? undefined : functionsIn(declaration);
      return found?.length === 0 ? [] : undefined;
    }
    case "ClassDeclaration":
    case "EmptyStatement":
      return isInert(statement) ? [] : undefined;
    default:
      return undefined;
  }
}

function functionInDeclarator(declarator: SyntaxNode): WrittenFunction[] {
  return functionOf(childNode(declarator, "init"), declarator.start, nameOf(childNode(declarator, "id")));
}

function functionOf(node: SyntaxNode | undefined, start: number, name: string | undefined): WrittenFunction[] {
  return node !== undefined && FUNCTION.test(node.type) ? [{ start, name }] : [];
}

const FUNCTION = /^(?:ArrowFunction|Function)Expression$/;

/** What calls, waits or assigns. */
const ACTS = /^(?:Assignment|Await|Call|Import|New|TaggedTemplate|Update|Yield)Expression$/;

/** Whether nothing happens as a statement runs: what stands in functions does not run. */
function isInert(statement: SyntaxNode): boolean {
  let isInertSoFar = true;
  walkSyntax(statement, ({ type }) => {
    if (ACTS.test(type)) isInertSoFar = false;
    return isInertSoFar && !FUNCTION.test(type);
  });
  return isInertSoFar;
}
