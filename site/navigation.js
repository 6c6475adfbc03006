// The navigation of the site: the groups of docs/README.md, the API, and the versions.
import { API_PAGES } from "./generate-api.js";
import { listPages, readGroups } from "./list-pages.js";

/** The group of docs/README.md after which the generated API stands. */
const API_AFTER = "Reference";

/** Groups with their pages by name on the site. A page that no group names is in a group of its own, the last one. */
export function makeNavigation(root) {
  const pages = listPages(root);
  const groups = readGroups(root).flatMap(({ title, pages: listed }) => {
    const group = { title, pages: listed.map(({ label, path, about }) => ({ label, name: pages.get(path), about })) };
    const api = API_PAGES.map(({ label, name }) => ({ label, name, about: "generated from the declarations" }));
    return title === API_AFTER ? [group, { title: "API", pages: api }] : [group];
  });
  const named = new Set(groups.flatMap((group) => group.pages.map(({ name }) => name)));
  const others = [...pages.values()].filter((name) => !named.has(name) && name !== "all-pages.md");
  if (others.length === 0) return groups;
  return [...groups, { title: "More", pages: others.map((name) => ({ label: name.slice(0, -3), name, about: "" })) }];
}

/** The sidebar of VitePress. */
export function toSidebar(navigation) {
  return navigation.map(({ title, pages }) => ({ text: title, items: pages.map(toItem) }));
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
