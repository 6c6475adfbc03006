// Counts the open tasks of notes, and files the notes by whether they have any.
import {
  create_directory,
  directory_tree,
  edit_file,
  get_file_info,
  list_directory,
  move_file,
  read_multiple_files,
  read_text_file,
  search_files,
  write_file,
} from "@codemode/servers/filesystem";

const listing = await list_directory({ path: "notes" });
const names = listing.content
  .split("\n")
  .filter((line) => line.startsWith("[FILE]"))
  .map((line) => line.slice("[FILE] ".length));

const open: Record<string, number> = {};
for (const name of names) {
  const { content } = await read_text_file({ path: `notes/${name}` });
  open[name] = content.split("\n").filter((line) => line.startsWith("- [ ]")).length;
}

await create_directory({ path: "notes/done" });
const done = names.filter((name) => open[name] === 0);
for (const name of done) await move_file({ source: `notes/${name}`, destination: `notes/done/${name}` });
await write_file({ path: "notes/summary.txt", content: JSON.stringify(open, null, 2) });
const edit = await edit_file({ path: "notes/summary.txt", edits: [{ oldText: "plan.md", newText: "plan" }] });

const found = await search_files({ path: "notes", pattern: "**/*.md" });
const both = await read_multiple_files({ paths: found.content.split("\n") });
const info = await get_file_info({ path: "notes/summary.txt" });
const tree: { name: string; children?: object[] }[] = JSON.parse((await directory_tree({ path: "notes" })).content);

export default {
  open,
  changed: edit.content.includes("+"),
  characters: both.content.length,
  size: /size: (\d+)/.exec(info.content)?.[1],
  folders: tree.filter(({ children }) => children !== undefined).map(({ name }) => name),
};
