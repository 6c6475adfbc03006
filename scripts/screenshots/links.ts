import { trigger_long_running_operation } from "@codemode/servers/everything";
import { list_directory, read_text_file } from "@codemode/servers/filesystem";
import { read_graph } from "@codemode/servers/memory";

// How often each page of the documentation is linked to, of all pages of a folder.
const { content } = await list_directory({ path: "docs" });
const pages = content.split("\n").flatMap((line) => /^\[FILE\] (.+\.md)$/.exec(line)?.[1] ?? []);
console.log("reading", pages.length, "pages");
const reindexing = trigger_long_running_operation({ duration: 0.12, steps: 2 });

const links = new Map<string, number>();
for (let start = 0; start < pages.length; start += 5) {
  const batch = pages.slice(start, start + 5);
  const texts = await Promise.all(batch.map((page) => read_text_file({ path: `docs/${page}` })));
  for (const { content: text } of texts) {
    for (const [, target = ""] of text.matchAll(/\]\(([\w-]+\.md)/g)) links.set(target, (links.get(target) ?? 0) + 1);
  }
}
const draft = await read_text_file({ path: "docs/draft.md" }).catch((error: Error) => error.name);
if (draft === "ToolCallError") console.warn("there is no draft: left out");

await reindexing;
const { entities } = await read_graph();
console.log("known entities:", entities.length);
const ranking = [...links].toSorted(([, left], [, right]) => right - left);
export default { pages: pages.length, mostLinked: ranking.slice(0, 3) };
