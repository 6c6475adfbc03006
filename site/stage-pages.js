// Copies the pages to where VitePress reads them, with links as the site has them.
import { existsSync, readdirSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { listPages } from "./list-pages.js";

/** Inline links, definitions of links, and addresses in HTML. */
const LINK = /(\]\(<?|^\s*\[[^\]]+\]:\s+|<(?:img|source|a)\b[^>]*?\b(?:src|srcset|href)=")([^()\s>"]+)/gm;

/**
 * Writes every page below `target`. Other files that pages link to are copied: images beside the pages, sources as plain text.
 * @returns the text of each page by its name on the site, its links relative
 */
export async function stagePages(root, target) {
  const pages = listPages(root);
  const staged = new Map();
  const files = new Map();
  for (const [path, name] of pages) {
    const text = await readFile(join(root, path), "utf8");
    staged.set(
      name,
      mapProse(text, (prose) => prose.replaceAll(LINK, (_, before, link) => before + toSite(path, link))),
    );
  }
  for (const name of readdirSync(join(root, "schemas")).filter((name) => name.endsWith(".schema.json")))
    files.set(`schemas/${name}`, `public/schemas/${name}`);
  for (const [path, name] of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await cp(join(root, path), join(target, name));
  }
  for (const [name, text] of staged) await writeFile(join(target, name), escapeForVue(text));
  return staged;

  function toSite(page, link) {
    if (/^[a-z][a-z+.-]*:/i.test(link) || link.startsWith("#")) return link;
    const [file, anchor] = link.split("#");
    const path = posix.normalize(posix.join(posix.dirname(page), decodeURI(file)));
    const hash = anchor === undefined ? "" : `#${anchor}`;
    if (pages.has(path)) return `./${pages.get(path)}${hash}`;
    if (!existsSync(join(root, path)) || !statSync(join(root, path)).isFile())
      throw new Error(`${page} links to ${link}, which is no file.`);
    const isImage = /\.(?:svg|png)$/.test(path);
    const name = isImage ? `images/${posix.basename(path)}` : toFileName(path);
    files.set(path, isImage ? name : `public/${name}`);
    return `./${name}`;
  }
}

/** JSON Schemas have the address that their `$id` and editors use; sources open as text in a browser. */
function toFileName(path) {
  return /^schemas\/[\w.-]+\.json$/.test(path) ? path : `source/${path}.txt`;
}

/** A text with its parts outside of fenced code replaced. */
function mapProse(text, replace) {
  return text
    .split(/^((?:```|~~~)[^\n]*\n[\s\S]*?^(?:```|~~~)[ \t]*$)/m)
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join("");
}

/** VitePress takes pages for templates: `{{` outside of code begins an expression. */
function escapeForVue(text) {
  return mapProse(text, (prose) =>
    prose.replaceAll(/(`+)[\s\S]*?\1|\{\{/g, (match) => (match === "{{" ? "&#123;&#123;" : match)),
  );
}
