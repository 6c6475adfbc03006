import type { PlacedProblem } from "../imports/import-problem.ts";

/**
 * Finds `<!--` among the operators of a module. The language reads `a < !(--b)` there, V8 refuses the text, and Rollup's parser takes the
 * rest of the line for a comment.
 */
export async function findLegacyComments(code: string): Promise<PlacedProblem[]> {
  if (!code.includes("<!--")) return [];
  const { parse } = await import("acorn");
  const problems: PlacedProblem[] = [];
  const onToken = ({ start, type }: { start: number; type: { label: string } }): void => {
    if (type.label === "</>/<=/>=" && code.startsWith("<!--", start)) problems.push({ ...LEGACY_COMMENT, start });
  };
  try {
    parse(code, { ecmaVersion: "latest", sourceType: "module", onToken });
  } catch {
    // Rollup's parser has read the text: what is left for acorn to refuse is refused by the engine.
  }
  return problems;
}

const LEGACY_COMMENT: Omit<PlacedProblem, "start"> = {
  code: "SYNTAX_ERROR",
  message: "`<!--` begins a legacy comment, which a module cannot have.",
  hint: "Put spaces between the operators, such as `< ! --`, or write the comment with `//`.",
};
