import { readFileSync } from "node:fs";
import { ts } from "@ts-morph/common";

/** An event of the stream, as its type declares it. */
export interface EventEntry {
  /** Of which object it names. */
  of: "run" | "request" | "host";
  type: string;
  fields: readonly string[];
  /** What has happened. */
  text: string;
}

const FILE = "schemas/run/events.ts";
const UNIONS = { RunEvent: "run", RequestEvent: "request", HostEvent: "host" } as const;

/** All events that listeners hear, in the order of the file. */
export function readEvents(): EventEntry[] {
  const source = ts.createSourceFile(FILE, readFileSync(FILE, "utf8"), ts.ScriptTarget.Latest, true);
  return Object.entries(UNIONS).flatMap(([name, of]) => {
    const declared = declarationOf(source, name);
    if (declared === undefined || !ts.isTypeAliasDeclaration(declared) || !ts.isUnionTypeNode(declared.type))
      throw new Error(`${FILE} has no union ${name}.`);
    const { types } = declared.type;
    return types.flatMap((member, index): EventEntry[] => {
      const fields = fieldsOf(member, source);
      const type = typeOf(member);
      if (type === undefined) return []; // the events of runs and requests
      const before = source.text.slice(types[index - 1]?.end ?? declared.type.pos, member.getStart(source));
      const text =
        /\/\*\*([\s\S]*?)\*\//
          .exec(before)?.[1]
          ?.replaceAll(/\s*\n\s*\*\s*/g, " ")
          .trim() ?? "";
      return [{ of, type, fields: fields.filter((field) => field !== "type"), text }];
    });
  });
}

function declarationOf(source: ts.SourceFile, name: string) {
  return source.statements
    .filter((statement) => ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
    .find((statement) => statement.name.text === name);
}

/** The literal of its member `type`. */
function typeOf(node: ts.TypeNode): string | undefined {
  if (ts.isParenthesizedTypeNode(node)) return typeOf(node.type);
  if (ts.isIntersectionTypeNode(node)) return node.types.map(typeOf).find((type) => type !== undefined);
  if (!ts.isTypeLiteralNode(node)) return undefined;
  const member = node.members
    .filter((each) => ts.isPropertySignature(each))
    .find((each) => each.name.getText() === "type");
  return member?.type && /^"(.*)"$/.exec(member.type.getText())?.[1];
}

function fieldsOf(node: ts.TypeNode, source: ts.SourceFile): string[] {
  if (ts.isParenthesizedTypeNode(node)) return fieldsOf(node.type, source);
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap((type) => fieldsOf(type, source));
  if (ts.isTypeLiteralNode(node)) return namesOf(node.members, source);
  const name = node.getText(source);
  const declared = declarationOf(source, name);
  return declared !== undefined && ts.isInterfaceDeclaration(declared)
    ? namesOf(declared.members, source)
    : [`the members of ${name}`];
}

function namesOf(members: ts.NodeArray<ts.TypeElement>, source: ts.SourceFile): string[] {
  return members.map(({ name, questionToken }) => `${name?.getText(source)}${questionToken === undefined ? "" : "?"}`);
}
