import { useData, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(PageLinks) }),
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
