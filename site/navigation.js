// The navigation of the site: the shelves of docs/README.md, the API, and the versions.
import { API_PAGES } from "./generate-api.js";
import { listPages, readGroups } from "./list-pages.js";

/** The shelf of docs/README.md at whose end the generated API stands. */
const SHELF_OF_API = "Reference";

/** Shelves with their pages by name on the site. A page that no shelf names is in a group of its own, the last one. */
export function makeNavigation(root) {
  const pages = listPages(root);
  const api = API_PAGES.map(({ label, name }) => ({ label, name, about: "generated from the declarations" }));
  const groups = readGroups(root).map(({ title, pages: listed }) => {
    const own = listed.map(({ label, path, about }) => ({ label, name: pages.get(path), about }));
    return { title, pages: title === SHELF_OF_API ? [...own, ...api] : own };
  });
  const named = new Set(groups.flatMap((group) => group.pages.map(({ name }) => name)));
  const others = [...pages.values()].filter((name) => !named.has(name) && name !== "all-pages.md");
  if (others.length === 0) return groups;
  return [...groups, { title: "More", pages: others.map((name) => ({ label: name.slice(0, -3), name, about: "" })) }];
}

/** A shelf as VitePress lists it. */
function toGroup({ title, pages }) {
  return { text: title, items: pages.map(toItem) };
}

/** The sidebar: the first shelf, which a reader always sees. */
export function toSidebar([first]) {
  return [toGroup(first)];
}

/** The other shelves, which a reader opens. */
export function toClosedShelves([, ...others]) {
  return others.map(toGroup);
}

/** The bar: each shelf by its first page. The first page of the site is the title's link. */
export function toBar(navigation) {
  return navigation.flatMap(({ title, pages }) => {
    const first = pages.find(({ name }) => name !== "index.md");
    return first === undefined ? [] : [{ text: title, link: toItem(first).link }];
  });
}

/** The pages before and after one, on its own shelf only; `false` where there is none. */
export function findNeighbours(navigation, name) {
  const shelf = navigation.find(({ pages }) => pages.some((page) => page.name === name))?.pages ?? [];
  const index = shelf.findIndex((page) => page.name === name);
  const linkTo = (page) => (page === undefined ? false : toItem(page));
  return { prev: linkTo(shelf[index - 1]), next: index === -1 ? false : linkTo(shelf[index + 1]) };
}

function toItem({ label, name }) {
  return { text: label, link: `/${name.replace(/(?:index)?\.md$/, "")}` };
}

/**
 * The menu of versions. Each older one is a site of its own, which stays in a folder named like it beside the pages of the current one.
 * @param older their names, newest first
 */
export function makeVersionMenu(current, older) {
  const items = older.map((version) => ({ text: `v${version}`, link: `/v${version}/`, target: "_self" }));
  return { text: `v${current}`, items: [...items, { text: "All versions", link: "/versions" }] };
}
