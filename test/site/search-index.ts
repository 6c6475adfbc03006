import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What is used here of MiniSearch, which the site has in a version of its own. */
interface Search {
  search(words: string): { id: string }[];
}

interface SearchLibrary {
  default: { loadJSON(json: string, options: object): Search };
}

const CHUNKS = resolve("site/dist/www/assets/chunks");

/** The index of the built site, with the options of the box: the links that it shows for words, best first. */
export async function openSearchIndex(): Promise<(words: string) => string[]> {
  const fromSite = createRequire(resolve("site/package.json"));
  const library = createRequire(fromSite.resolve("vitepress")).resolve("minisearch");
  const { default: MiniSearch } = (await import(pathToFileURL(library).href)) as SearchLibrary;
  const file = readdirSync(CHUNKS).find((name) => name.includes("localSearchIndexroot")) ?? "";
  const { default: json } = (await import(pathToFileURL(join(CHUNKS, file)).href)) as { default: string };
  const { SEARCH } = (await import(pathToFileURL(resolve("site/search.js")).href)) as {
    SEARCH: { options: object; searchOptions: object };
  };
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const index = MiniSearch.loadJSON(json, { ...fields, searchOptions: SEARCH.searchOptions, ...SEARCH.options });
  return (words) => index.search(words).map(({ id }) => id.replace(/^\//, ""));
}
