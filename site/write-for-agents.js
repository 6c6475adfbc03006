// What agents read instead of HTML: llms.txt (an index), llms-full.txt (all pages) and each page as Markdown.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * @param groups the navigation: titles, and pages with name, label and about
 * @param texts the Markdown of each page by its name
 */
export async function writeForAgents(folder, { title, about, groups, texts }) {
  const sections = groups.map(({ title: group, pages }) => `## ${group}\n\n${pages.map(toLine).join("\n")}\n`);
  await writeFile(join(folder, "llms.txt"), `# ${title}\n\n> ${about}\n\n${sections.join("\n")}`);
  const named = new Set(groups.flatMap(({ pages }) => pages.map(({ name }) => name)));
  const full = [...named].map((name) => `<!-- ${name} -->\n\n${texts.get(name).trim()}\n`);
  await writeFile(join(folder, "llms-full.txt"), full.join("\n"));
  for (const [name, text] of texts) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

function toLine({ label, name, about }) {
  return `- [${label}](${name})${about === "" ? "" : `: ${about}`}`;
}
