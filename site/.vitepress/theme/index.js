import { useData, withBase } from "vitepress";
// The fonts of the system: a page loads none.
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "doc-footer-before": () => h(PageLinks),
      "sidebar-nav-after": () => h(ClosedShelves),
    }),
};

/** Ways that work without a script: this page for agents, the list of all pages, versions. */
const PageLinks = {
  setup() {
    const { page } = useData();
    const link = (text, target) => h("a", { href: withBase(target), target: "_self" }, text);
    return () =>
      h("p", { class: "page-links" }, [
        link("This page as Markdown", `/${page.value.relativePath}`),
        link("All pages", "/all-pages.html"),
        link("Versions", "/versions.html"),
        link("llms.txt", "/llms.txt"),
      ]);
  },
};

/** The shelves below the first one in the sidebar, closed unless the page is on them. They open without a script too. */
const ClosedShelves = {
  setup() {
    const { page, theme } = useData();
    const isHere = ({ link }) => link === `/${page.value.relativePath.replace(/\.md$/, "")}`;
    const toLink = (item) =>
      h("a", { href: withBase(`${item.link}.html`), "aria-current": isHere(item) ? "page" : undefined }, item.text);
    return () =>
      theme.value.closedShelves.map(({ text, items }) =>
        h("details", { class: "shelf", key: text, open: items.some(isHere) }, [
          h("summary", text),
          ...items.map(toLink),
        ]),
      );
  },
};
