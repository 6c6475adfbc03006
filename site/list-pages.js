// Which pages the site has, and where each is found: docs/README.md is the list that readers and the navigation share.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Pages outside of docs/, by their path in the repository, and the name of each on the site. */
const ELSEWHERE = {
  "README.md": "index.md",
  "docs/README.md": "all-pages.md",
  "SECURITY.md": "security.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "examples/README.md": "examples.md",
  "bench/RESULTS.md": "benchmark-results.md",
  "bench/tasks/README.md": "evaluating.md",
  "runtime/bindings/README.md": "runtime.md",
  "docs/decisions/README.md": "decisions.md",
};

/**
 * The pages by their path in the repository, with their name on the site: those of docs/, and what docs/README.md lists elsewhere. Records of
 * decisions are plain files there.
 */
export function listPages(root) {
  const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
  const listed = readGroups(root).flatMap(({ pages }) => pages.map(({ path }) => path));
  const others = listed.filter((path) => !path.startsWith("docs/") && !Object.hasOwn(ELSEWHERE, path));
  return new Map([
    ...Object.entries(ELSEWHERE),
    ...others.map((path) => [path, path.toLowerCase().replaceAll(/[^a-z\d.]+/g, "-")]),
    ...names.toSorted().map((name) => [`docs/${name}`, name]),
  ]);
}

/**
 * The shelves of docs/README.md in its order. A page is a link of a list to a whole file; what follows the colon is about it.
 * @returns {{ title: string, pages: { label: string, path: string, about: string }[] }[]} paths in the repository
 */
export function readGroups(root) {
  const groups = [];
  for (const line of joinItems(readFileSync(join(root, "docs/README.md"), "utf8"))) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, pages: [] });
    if (!/^(?:-|\d+\.) /.test(line)) continue;
    const about = /\): (.+)$/.exec(line)?.[1] ?? "";
    for (const [, label, target] of line.matchAll(/\[([^\]]+)\]\(([^)#:]+\.md)\)/g)) {
      const path = posix.normalize(posix.join("docs", target));
      groups.at(-1)?.pages.push({ label: label.replaceAll("`", ""), path, about: toText(about) });
    }
  }
  return groups.filter(({ pages }) => pages.length > 0);
}

/** Items of a list in one line each. */
function joinItems(text) {
  return text.replaceAll(/\n {2,}(?=\S)/g, " ").split("\n");
}

function toText(markdown) {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
