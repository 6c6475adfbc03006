/** The words of a page as a reader sees it: code and tables count, comments and the lines of tables do not. */
export function countWords(text: string): number {
  const seen = text.replaceAll(/<!--[\s\S]*?-->/g, "");
  return seen.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
