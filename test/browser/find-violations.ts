import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe finds of a page that people could not see, hear or reach: rule and place, one line each; none where all is well. `rules` are
 * those to look at, where not all: a change of colours alone is a matter of `color-contrast`.
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const isThere = (await page.evaluate("'axe' in globalThis")) as boolean;
  if (!isThere) await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: rules };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
