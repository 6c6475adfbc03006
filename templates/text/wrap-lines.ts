/** The width that generated declarations keep to where they can. */
const WIDTH = 120;

/** A declaration of one line: what stands before the type, and the type. */
const ONE_LINE =
  /^(?<indent> *)(?<before>(?:export type [^=]+ =|(?:[\w$]+|"(?:[^"\\]|\\.)*"|\[k: string\])\??:)) (?<type>.+);$/;

/** Breaks unions of literals and names that are too long for a line, one member on each. */
export function wrapUnions(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length > WIDTH ? wrapUnion(line) : line))
    .join("\n");
}

function wrapUnion(line: string): string {
  const { indent, before, type } = ONE_LINE.exec(line)?.groups ?? {};
  if (indent === undefined || before === undefined || type === undefined) return line;
  const isList = type.startsWith("(") && type.endsWith(")[]");
  const members = splitUnion(isList ? type.slice(1, -3) : type);
  if (members.length < 2) return line;
  const union = members.map((member) => `\n${indent}  | ${member}`).join("");
  return isList ? `${indent}${before} (${union}\n${indent})[];` : `${indent}${before}${union};`;
}

/** The members of a union, split where neither a string nor a bracket is open. */
function splitUnion(type: string): string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of type.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{}<>]| \| /g)) {
    if ("([{<".includes(token)) depth += 1;
    else if (")]}>".includes(token)) depth -= 1;
    else if (token === " | " && depth === 0) {
      members.push(type.slice(start, index));
      start = index + token.length;
    }
    if (depth < 0) return [];
  }
  return [...members, type.slice(start)];
}

/** Puts a doc comment of one short line on one line. */
export function joinShortComments(text: string): string {
  return text.replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (comment, indent: string, line: string) =>
    indent.length + line.length + "/**  */".length <= WIDTH ? `${indent}/** ${line} */` : comment,
  );
}
