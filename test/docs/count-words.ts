/** The words of a page as a reader sees it: code and tables count; comments, tags of HTML and the lines of tables do not. */
export function countWords(text: string): number {
  const seen = text.replaceAll(/<!--[\s\S]*?-->|<\/?[a-z][^>\n]*>/g, "");
  return seen.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
