import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { findNeighbours, makeNavigation, makeVersionMenu, toBar, toClosedShelves, toSidebar } from "../navigation.js";
import { SEARCH } from "../search.js";
import { toAnchor } from "../to-anchor.js";

const SITE = join(import.meta.dirname, "..");
const ROOT = join(SITE, "..");
const { version, description } = readJson(join(ROOT, "package.json"));
const { older } = readJson(join(SITE, "versions.json"));
const navigation = makeNavigation(ROOT);
const about = new Map(navigation.flatMap(({ pages }) => pages.map((page) => [page.name, page.about])));

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3451b2"/><text x="8" y="12" text-anchor="middle" font-family="monospace" font-size="11" fill="#fff">{}</text></svg>`;

export default defineConfig({
  title: "codemode",
  description,
  lang: "en",
  base: process.env.DOCS_BASE ?? "/",
  srcDir: "dist/pages",
  outDir: "dist/www",
  cacheDir: "dist/cache",
  // Without a script in the page, links lead to files of any plain server.
  cleanUrls: false,
  markdown: {
    anchor: { slugify: toAnchor },
    languageAlias: { console: "shellsession" },
    // Of these, comments have enough contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: makeTablesReachable,
  },
  // In the page, since a browser asks for /favicon.ico otherwise, which no site in a folder has.
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  transformPageData: describePage,
  transformHead: ({ page }) => [
    ["link", { rel: "alternate", type: "text/markdown", href: `${process.env.DOCS_BASE ?? "/"}${page}` }],
  ],
  themeConfig: {
    search: { provider: "local", options: { miniSearch: SEARCH } },
    nav: [...toBar(navigation), { text: "All pages", link: "/all-pages" }, makeVersionMenu(version, older)],
    sidebar: toSidebar(navigation),
    closedShelves: toClosedShelves(navigation),
    outline: { level: [2, 3] },
  },
});

/** What a page is about, and links at its end that stay on its shelf. */
function describePage({ relativePath, frontmatter }) {
  return {
    description: about.get(relativePath) || description,
    frontmatter: { ...frontmatter, ...findNeighbours(navigation, relativePath) },
  };
}

/** Wide tables scroll: people without a mouse scroll what they can focus. A head without a word is no head. */
function makeTablesReachable(markdown) {
  markdown.renderer.rules.table_open = () => '<table tabindex="0">';
  markdown.core.ruler.push("empty-heads", ({ tokens }) => {
    for (const [index, { type, content }] of tokens.entries()) {
      if (type !== "inline" || content !== "" || tokens[index - 1].type !== "th_open") continue;
      tokens[index - 1].tag = "td";
      tokens[index + 1].tag = "td";
    }
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
