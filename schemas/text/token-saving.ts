/** Tokens of one task both ways. */
export interface TokensOfTask {
  /** Inputs and outputs of all calls: with plain tool calls each passes through the model. */
  calls: number;
  /** What the model writes for codemode, and what it reads back. */
  script: number;
  answer: number;
}

/**
 * Says what a task takes with codemode beside plain tool calls: how many times less, or how much more. The script counts: the model writes it, as it
 * would write the inputs of the calls.
 */
export function describeSaving({ calls, script, answer }: TokensOfTask): {
  used: number;
  isLess: boolean;
  words: string;
  percent: string;
} {
  const used = script + answer;
  const share = (100 * (1 - used / Math.max(1, calls))).toFixed(1);
  const ratio = calls / Math.max(1, used);
  if (ratio >= 1) return { used, isLess: true, words: `${formatRatio(ratio)} times less`, percent: `${share} % less` };
  const words = `${formatRatio(used / Math.max(1, calls))} times more`;
  return { used, isLess: false, words, percent: `${share.replace("-", "")} % more` };
}

function formatRatio(ratio: number): string {
  return ratio >= 10 ? Math.round(ratio).toLocaleString("en-US") : ratio.toFixed(1);
}
