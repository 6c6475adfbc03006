import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { shortenText } from "../../schemas/text/short-text.ts";
import type { SavedScript } from "../../schemas/run/saved-script.ts";

const BUDGET = 120;
const LONGEST_DESCRIPTION = 60;

/**
 * Names saved scripts on one line, with what they do while there is room; nothing where there are none. Their number does not
 * change how long it may be.
 */
export function printScriptIndex(scripts: readonly SavedScript[]): string {
  if (scripts.length === 0) return "";
  let left = BUDGET - estimateTokens(printLine([], scripts.length));
  const take = (text: string): boolean => {
    const cost = estimateTokens(text);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
  const named = scripts.filter(({ name }) => take(`, ${name}`));
  const texts = named.map(({ name, description = "" }) => {
    const brief = ` (${oneLine(shortenText(description, LONGEST_DESCRIPTION))})`;
    return description !== "" && take(brief) ? `${name}${brief}` : name;
  });
  return printLine(texts, scripts.length - named.length);
}

function printLine(texts: readonly string[], more: number): string {
  const listed = [...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `Saved scripts, run by name with { script, input } instead of code: ${listed}. listScripts() of @codemode/discovery shows their inputs.`;
}
