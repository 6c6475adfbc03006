import { read_text_file, search_files, write_file } from "@codemode/servers/files";

const { content: found } = await search_files({ path: "logs", pattern: "*.log" });
const counts: Record<string, number> = {};
for (const path of found.trim().split("\n")) {
  const { content } = await read_text_file({ path });
  for (const [, code = ""] of content.matchAll(/ERROR (E\d+)/g)) counts[code] = (counts[code] ?? 0) + 1;
}
await write_file({ path: "reports/errors.json", content: JSON.stringify(counts) });
const codes = Object.keys(counts).toSorted();
export default codes.toSorted((left, right) => (counts[right] ?? 0) - (counts[left] ?? 0))[0];
