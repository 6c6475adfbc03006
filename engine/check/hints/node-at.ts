import { ts } from "../typescript.ts";

/** The innermost node that covers a part of a file. */
export function nodeAt(file: ts.SourceFile, start: number, length: number): ts.Node {
  let found: ts.Node = file;
  const descend = (node: ts.Node): void => {
    if (node.getStart(file) > start || node.getEnd() < start + length) return;
    found = node;
    ts.forEachChild(node, descend);
  };
  ts.forEachChild(file, descend);
  return found;
}
