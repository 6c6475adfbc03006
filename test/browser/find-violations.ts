import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Scope {
  /** The rules to look at, where not all: a change of colours alone is a matter of `color-contrast`. */
  rules?: readonly string[];
  /** Selectors of parts that are left out, such as parts that another page has shown. */
  without?: readonly string[];
  /** For `color-contrast` alone: looks at one text of each look, as texts that look the same have the same contrast. */
  eachLookOnce?: boolean;
}

/** What axe finds of a page that people could not see, hear or reach: rule and place, one line each; none where all is well. */
export async function findViolations(
  page: Page,
  { rules, without = [], eachLookOnce = false }: Scope = {},
): Promise<string[]> {
  const isThere = (await page.evaluate("'axe' in globalThis")) as boolean;
  if (!isThere) await page.evaluate(axe.source);
  if (eachLookOnce) await page.evaluate(`(${markLooks})(${JSON.stringify([...without, ":not(*)"].join())})`);
  const exclude = without.map((selector) => [selector]);
  const context = eachLookOnce ? { include: [["[data-look]"]], exclude } : { exclude };
  // What is well needs no selectors, which take most of the time.
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  const isWhole = without.length === 0 && !eachLookOnce;
  const parts = [isWhole ? "document" : context, options].map((part) =>
    part === "document" ? part : JSON.stringify(part),
  );
  const { violations } = (await page.evaluate(`axe.run(${parts.join(", ")})`)) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/**
 * Marks one element for each way in which text of the page looks: its own colour, size and weight, and all that lies behind it. What axe
 * does not judge marks nothing for others: what is hidden, left out or disabled, and text without a word.
 */
const markLooks = `(without) => {
  const textOf = (element) => [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join("");
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const looks = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const text = textOf(element).trim();
    if (text === "" || !isSeen(element) || element.closest(without) !== null) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const isJudged = /[\\p{L}\\p{N}]{2}/u.test(text) && element.closest(":disabled, [aria-disabled=true]") === null;
    const look = [isJudged, color, fontSize, fontWeight, textShadow];
    for (let behind = element; behind !== null; behind = behind.parentElement) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(behind);
      look.push(backgroundColor, backgroundImage, opacity, filter);
    }
    const key = look.join("|").replaceAll("|rgba(0, 0, 0, 0)|none|1|none", "");
    if (!looks.has(key)) element.dataset.look = "";
    looks.add(key);
  }
}`;
