import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { makeNavigation, makeVersionMenu, toSidebar } from "../navigation.js";
import { toAnchor } from "../to-anchor.js";

const SITE = join(import.meta.dirname, "..");
const ROOT = join(SITE, "..");
const { version, description } = readJson(join(ROOT, "package.json"));
const { older } = readJson(join(SITE, "versions.json"));
const navigation = makeNavigation(ROOT);
const about = new Map(navigation.flatMap(({ pages }) => pages.map((page) => [page.name, page.about])));

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
  transformPageData: (page) => ({ description: about.get(page.relativePath) || description }),
  transformHead: ({ page }) => [
    ["link", { rel: "alternate", type: "text/markdown", href: `${process.env.DOCS_BASE ?? "/"}${page}` }],
  ],
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Tutorial", link: "/getting-started" },
      { text: "Reference", link: "/cli" },
      { text: "All pages", link: "/all-pages" },
      makeVersionMenu(version, older),
    ],
    sidebar: toSidebar(navigation),
    outline: { level: [2, 3] },
  },
});

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
