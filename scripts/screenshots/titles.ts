import { list_directory, read_text_file } from "@codemode/servers/filesystem";

const { content } = await list_directory({ path: "docs" });
const names = content.split("\n").map((line) => line.replace(/^\[\w+\] /, ""));
console.log("found", names.length, "names");

const titles = new Map<string, string>();
for (const name of names.filter((name) => name.endsWith(".md")).slice(0, 4)) {
  const { content: text } = await read_text_file({ path: `docs/${name}` });
  const [title = ""] = text.split("\n");
  titles.set(name, title);
}
const draft = titles.get("draft.md") as string;
export default { titles: titles.size, draft: draft.toUpperCase() };
