import { isDefaultName } from "./name-default-export.ts";
import type { ProgramEdit } from "./edit-program.ts";
import {
  childNode,
  childNodes,
  nameOf,
  walkSyntax,
  type SyntaxNode,
  type SyntaxParent,
} from "../syntax/syntax-tree.ts";

/** What gives a program the names back that its author wrote. */
export interface KeptNames {
  edits: ProgramEdit[];
  /** Statements for the start of the program: functions are there before its first line runs. */
  statements: string[];
}

export interface NameOptions {
  /** The original names of identifiers that were renamed, by offset. */
  originals: ReadonlyMap<number, string>;
  /** The function that sets the `name` of a function and gives it back. */
  setter: string;
  /** What the names of functions begin with that read a hidden variable. */
  reader: string;
}

/**
 * Finds where a renamed variable shows in the `name` of a function or class. All modules of a bundle share one scope, so that of two
 * variables with one name the bundler renames one.
 */
export function keepNames(program: SyntaxNode, { originals, setter, reader }: NameOptions): KeptNames {
  const edits: ProgramEdit[] = [];
  /** Ends of what is wrapped, the innermost first. */
  const ends: ProgramEdit[] = [];
  const statements: string[] = [];
  const shown = new Set<number>();
  const readers = new Map<string, string>();

  const originalOf = (id: SyntaxNode | undefined): string | undefined => {
    if (id?.type !== "Identifier") return undefined;
    const name = nameOf(id) as string;
    if (isDefaultName(name)) return "default";
    const original = originals.get(id.start);
    return original !== undefined && name.startsWith(`${original}$`) ? original : undefined;
  };
  const wrap = ({ start, end }: SyntaxNode, before: string, after: string): void => {
    edits.push({ start, end: start, text: before });
    ends.unshift({ start: end, end, text: after });
  };
  const nameDeclaration = (node: SyntaxNode, original: string, parent: SyntaxParent | undefined): void => {
    const statement = `${setter}(${nameOf(childNode(node, "id"))}, ${JSON.stringify(original)});`;
    if (parent === undefined || parent.node.type === "Program") statements.push(statement);
    else edits.push({ ...startOf(parent), text: ` ${statement} ` });
  };

  walkSyntax(program, (node, parent) => {
    const original = originalOf(childNode(node, "id"));
    if (node.type === "FunctionDeclaration" && original !== undefined) nameDeclaration(node, original, parent);
    if (node.type === "FunctionExpression" && original !== undefined) {
      wrap(node, `(${setter}(`, `, ${JSON.stringify(original)}))`);
    }
    if (node.type === "ClassExpression") {
      const body = childNode(node, "body") as SyntaxNode;
      if (original !== undefined && !hasStaticName(body)) {
        const text = ` static { ${setter}(this, ${JSON.stringify(original)}); }`;
        edits.push({ start: body.start + 1, end: body.start + 1, text });
      }
      edits.push(...showHidden(node));
    }
    const [target, value] = namedValue(node);
    const given = originalOf(target);
    if (value !== undefined && given !== undefined && isAnonymous(value)) {
      const key = JSON.stringify(given);
      // A plain key `__proto__` would be the prototype.
      wrap(value, `{ ${given === "__proto__" ? `[${key}]` : key}: `, ` }[${key}]`);
    }
  });
  return { edits: [...ends, ...edits], statements };

  /** The bundler prints a renamed class as `let Row$1 = class Row {…}`, which hides another module's `Row` in there. */
  function showHidden(node: SyntaxNode): ProgramEdit[] {
    const name = nameOf(childNode(node, "id"));
    const found: ProgramEdit[] = [];
    if (name === undefined) return found;
    walkSyntax(node, ({ type, start, end, name: text }) => {
      if (type !== "Identifier" || text !== name || shown.has(start)) return;
      const original = originals.get(start);
      if (original === undefined || original === name) return;
      shown.add(start);
      let known = readers.get(name);
      if (known === undefined) {
        known = `${reader}${readers.size}`;
        readers.set(name, known);
        statements.push(`const ${known} = () => ${name};`);
      }
      found.push({ start, end, text: `(${known}())` });
    });
    return found;
  }
}

/** A place in the block that a function is declared in, before any of its statements that can see the function. */
function startOf({ node, member }: SyntaxParent): Omit<ProgramEdit, "text"> {
  const statements = childNodes(node, member);
  const first = statements.find((statement) => typeof statement["directive"] !== "string") ?? node;
  return { start: first.start, end: first.start };
}

/** A variable, and the value that takes its name from it if it has none. */
function namedValue(node: SyntaxNode): [target: SyntaxNode | undefined, value: SyntaxNode | undefined] {
  if (node.type === "VariableDeclarator") return [childNode(node, "id"), childNode(node, "init")];
  const isAssignment = node.type === "AssignmentExpression" && /^(&&|\|\||\?\?)?=$/.test(String(node["operator"]));
  const target = childNode(node, "left");
  // A target in parentheses gives no name.
  if (!(isAssignment || node.type === "AssignmentPattern") || target?.start !== node.start)
    return [undefined, undefined];
  return [target, childNode(node, "right")];
}

function isAnonymous(value: SyntaxNode): boolean {
  if (value.type === "ArrowFunctionExpression") return true;
  return ["FunctionExpression", "ClassExpression"].includes(value.type) && childNode(value, "id") === undefined;
}

/** True for a class that may say its name itself. */
function hasStaticName(body: SyntaxNode): boolean {
  return childNodes(body, "body").some(
    (member) =>
      member["static"] === true && (member["computed"] === true || nameOf(childNode(member, "key")) === "name"),
  );
}
