import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const TOOLS = pathToFileURL(resolve("test/publishing/node_modules"));

interface MarkdownIt {
  render(markdown: string): string;
}

/** Renders Markdown as credulously as readers of READMEs do: with HTML, and with links made of everything that looks like one. */
export async function renderMarkdown(markdown: string): Promise<string> {
  const module = (await import(`${TOOLS.href}/markdown-it/index.mjs`)) as {
    default: (options: { html: boolean; linkify: boolean }) => MarkdownIt;
  };
  return module.default({ html: true, linkify: true }).render(markdown);
}
