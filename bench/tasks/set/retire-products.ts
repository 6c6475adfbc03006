import { read_text_file } from "@codemode/servers/files";
import { execute } from "@codemode/servers/shop";

const { content } = await read_text_file({ path: "retire.txt" });
const changed: Record<string, number> = {};
for (const name of content.trim().split("\n")) {
  const { changes } = await execute({ sql: "UPDATE products SET discontinued = 1 WHERE name = ?", params: [name] });
  changed[name] = changes;
}
export default changed;
