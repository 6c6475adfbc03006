/** Indents code by two spaces for each open block. A block is opened by a bracket at the end of a line and closed by one at the start. */
export function indentBlocks(code: string): string {
  let depth = 0;
  return code
    .split("\n")
    .map((line) => {
      const text = line.trim();
      if (/^[}\])]/.test(text)) depth = Math.max(0, depth - 1);
      const indented = text === "" ? "" : "  ".repeat(depth) + text;
      if (/[{[(]$/.test(text)) depth += 1;
      return indented;
    })
    .join("\n");
}
