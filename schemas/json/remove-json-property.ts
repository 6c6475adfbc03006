import { createScanner, findNodeAtLocation, parseTree } from "jsonc-parser";

/** Takes a property out of JSON with comments, with its comma and the blanks before it, and changes no other byte. */
export function removeJsonProperty(text: string, path: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root === undefined ? undefined : findNodeAtLocation(root, [...path])?.parent;
  const parent = property?.parent;
  if (property === undefined || parent?.children === undefined) return text;
  const end = property.offset + property.length;
  const before = parent.children[parent.children.indexOf(property) - 1];
  const comma = commaAfter(text, end);
  // The comma of a last property is the one before it, which may stand behind its neighbour's comments.
  const earlier =
    comma === undefined && before !== undefined ? commaAfter(text, before.offset + before.length) : undefined;
  const kept = text.slice(0, property.offset).replace(/(?:\r?\n|(?<![ \t]))[ \t]*$/, "");
  const start = earlier === undefined ? kept : kept.slice(0, earlier) + kept.slice(earlier + 1);
  const rest = text.slice(comma === undefined ? end : comma + 1);
  const isAlone = start.endsWith("{") && /^\s*\}/.test(rest);
  return start + (isAlone ? rest.trimStart() : rest);
}

/** The place of a comma that follows, behind comments and blanks. */
export function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  const found = scanner.getTokenOffset();
  return text[found] === "," ? found : undefined;
}
