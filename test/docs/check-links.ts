import { posix } from "node:path";
import type { Finding } from "./finding.ts";
import type { Page } from "./parse-page.ts";

/** What links may lead to: the pages by their path in the repository, and whether there is a file. */
export interface LinkTargets {
  pages: ReadonlyMap<string, Page>;
  exists(path: string): boolean;
}

/** Relative links of a page that lead nowhere, or to a heading that is not there. */
export function checkLinks(path: string, page: Page, { pages, exists }: LinkTargets): Finding[] {
  return page.links.flatMap(({ line, target }) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [file = "", anchor] = target.split("#");
    const leadsTo = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)));
    if (leadsTo.startsWith("..") || !exists(leadsTo)) return [{ line, problem: `${target} leads nowhere` }];
    if (anchor === undefined) return [];
    const { headings = [], anchors = [] } = (leadsTo === path ? page : pages.get(leadsTo)) ?? {};
    return anchors.includes(anchor) || headings.some((heading) => heading.anchor === anchor)
      ? []
      : [{ line, problem: `${target} names no heading` }];
  });
}
