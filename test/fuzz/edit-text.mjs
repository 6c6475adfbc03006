/** The text of a node. */
export function textOf({ code }, node) {
  return code.slice(node.start, node.end);
}

/** The code with another text in place of a node, or of what lies between two offsets. */
export function replace({ code }, { start, end }, text) {
  return code.slice(0, start) + text + code.slice(end);
}

export function insertAt({ code }, offset, text) {
  return code.slice(0, offset) + text + code.slice(offset);
}

/** The code with the texts of two nodes exchanged; undefined where one holds the other. */
export function swap(tree, left, right) {
  const [first, second] = left.start <= right.start ? [left, right] : [right, left];
  if (first.end > second.start) return undefined;
  const { code } = tree;
  return (
    code.slice(0, first.start) +
    textOf(tree, second) +
    code.slice(first.end, second.start) +
    textOf(tree, first) +
    code.slice(second.end)
  );
}
