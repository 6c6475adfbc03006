import { read_text_file } from "@codemode/servers/files";
import { query } from "@codemode/servers/shop";

const [{ rows }, { content }] = await Promise.all([
  query({ sql: "SELECT count(*) AS count FROM products WHERE stock = 0" }),
  read_text_file({ path: "notes/todo.md" }),
]);
export default {
  outOfStock: rows[0]?.["count"],
  items: content.split("\n").filter((line) => line.startsWith("- ")).length,
};
