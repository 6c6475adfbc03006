import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ts } from "@ts-morph/common";

/** A function, type or member of the public API, as its source declares it. */
export interface ApiEntry {
  name: string;
  kind: "function" | "type" | "property" | "value";
  /** Of a function its signature, of a property its type, of a type without members what it stands for. */
  type: string;
  docs: ApiDocs;
  members: readonly ApiEntry[];
}

/** A docstring: its text, and what its tags say. */
export interface ApiDocs {
  text: string;
  params: readonly string[];
  throws?: string;
  example?: string;
}

/** Everything that `library/index.ts` exports, by its name, in the order of that file. */
export function readLibrary(index = "library/index.ts"): Map<string, ApiEntry> {
  const entries = new Map<string, ApiEntry>();
  for (const statement of parse(index).statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    const file = join(dirname(index), (statement.moduleSpecifier as ts.StringLiteral).text);
    const source = parse(file);
    for (const { name } of statement.exportClause.elements) {
      entries.set(name.text, { ...readEntry(findDeclaration(source, name.text), source), name: name.text });
    }
  }
  return entries;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function findDeclaration(source: ts.SourceFile, name: string): ts.Statement {
  const found = source.statements.find((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((declared) => declared.name.getText(source) === name)
      : (statement as ts.Statement & { name?: ts.Identifier }).name?.text === name,
  );
  if (found === undefined) throw new Error(`${source.fileName} declares no ${name}.`);
  return found;
}

function readEntry(node: ts.Statement, source: ts.SourceFile): ApiEntry {
  const docs = readDocs(node);
  if (ts.isFunctionDeclaration(node)) {
    return { name: "", kind: "function", type: signatureOf(node, source), docs, members: [] };
  }
  if (ts.isInterfaceDeclaration(node)) {
    const members = node.members.map((member) => readMember(member, source));
    return { name: "", kind: "type", type: "", docs, members };
  }
  if (ts.isTypeAliasDeclaration(node)) {
    return { name: "", kind: "type", type: textOf(node.type, source), docs, members: [] };
  }
  const fields = ts.isClassDeclaration(node) ? node.members.filter((member) => ts.isPropertyDeclaration(member)) : [];
  return { name: "", kind: "value", type: "", docs, members: fields.map((field) => readMember(field, source)) };
}

function readMember(member: ts.TypeElement | ts.PropertyDeclaration, source: ts.SourceFile): ApiEntry {
  const docs = readDocs(member);
  const isOptional = member.questionToken !== undefined ? "?" : "";
  const name = `${member.name?.getText(source) ?? ""}${isOptional}`;
  if (ts.isMethodSignature(member)) {
    return { name, kind: "function", type: signatureOf(member, source), docs, members: [] };
  }
  const isProperty = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member);
  const type = isProperty && member.type !== undefined ? textOf(member.type, source) : "";
  return { name, kind: "property", type: type.replace(/^\((.*)\)$/, "$1"), docs, members: [] };
}

function signatureOf(node: ts.FunctionDeclaration | ts.MethodSignature, source: ts.SourceFile): string {
  const params = node.parameters.map((param) => {
    const isOptional = param.questionToken !== undefined || param.initializer !== undefined ? "?" : "";
    return `${param.name.getText(source)}${isOptional}: ${param.type === undefined ? "" : textOf(param.type, source)}`;
  });
  return `${node.name?.getText(source)}(${params.join(", ")}): ${node.type === undefined ? "" : textOf(node.type, source)}`;
}

/** On one line. That an option may also be `undefined` goes without saying. */
function textOf(node: ts.TypeNode, source: ts.SourceFile): string {
  const isOption = "questionToken" in node.parent && node.parent.questionToken !== undefined;
  const text = node.getText(source).replaceAll(/\s+/g, " ");
  return (isOption ? text.replace(/ \| undefined$/, "") : text).replaceAll(/(\?: [\w.]+) \| undefined/g, "$1");
}

function readDocs(node: ts.Node): ApiDocs {
  const [docs] = ts.getJSDocCommentsAndTags(node).filter((part) => ts.isJSDoc(part));
  if (docs === undefined) return { text: "", params: [] };
  const tags = (docs.tags ?? []).map((tag) => ({
    kind: tag.tagName.text,
    text: tag.getText().replaceAll(/^\s*\* ?/gm, ""),
  }));
  const words = (kind: string): string[] =>
    tags.flatMap((tag) => (tag.kind === kind ? [tag.text.replace(/^@\w+\s*/, "").trim()] : []));
  const [throws] = words("throws");
  const [example] = words("example");
  return {
    text: ts.getTextOfJSDocComment(docs.comment)?.trim() ?? "",
    params: words("param").map((text) => text.replaceAll(/\s+/g, " ")),
    ...(throws === undefined ? {} : { throws: throws.replaceAll(/\s+/g, " ") }),
    ...(example === undefined ? {} : { example }),
  };
}
