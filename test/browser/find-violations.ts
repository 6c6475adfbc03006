import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Scope {
  /** The rules to look at, where not all: a change of colours alone is a matter of `color-contrast`. */
  rules?: readonly string[];
  /** Selectors of parts that are left out, such as those that another page has shown. */
  without?: readonly string[];
}

/** What axe finds of a page that people could not see, hear or reach: rule and place, one line each; none where all is well. */
export async function findViolations(page: Page, { rules, without = [] }: Scope = {}): Promise<string[]> {
  const isThere = (await page.evaluate("'axe' in globalThis")) as boolean;
  if (!isThere) await page.evaluate(axe.source);
  const context = { exclude: without.map((selector) => [selector]) };
  // What is well needs no selectors, which take most of the time.
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  const parts = [without.length === 0 ? "document" : context, options].map((part) =>
    part === "document" ? part : JSON.stringify(part),
  );
  const { violations } = (await page.evaluate(`axe.run(${parts.join(", ")})`)) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
